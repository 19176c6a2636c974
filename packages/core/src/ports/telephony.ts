import type { AudioLeg } from '@va/media';
import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';
import type { AudioFormat } from './media/audio-format.ts';

/** `blind` hands the caller over at once; `warm` asks first, and tells whoever takes over what there is to know. */
export type TransferMode = 'blind' | 'warm';

export interface TransferRequest {
  /** E.164, or a SIP address. */
  readonly destination: string;
  readonly mode: TransferMode;
  /** What whoever takes over is to know of the call; null where there is nothing. */
  readonly summary: string | null;
  /** The transfer is given up: the call is over, or it took too long. Nobody is to be called any more. */
  readonly signal: AbortSignal;
}

export type TransferOutcome =
  /** The caller is with the destination, or the network has taken that over: this leg is hung up. */
  | { type: 'accepted' }
  /** The far end or the destination does not want it, or does not answer; the caller is still here. */
  | { type: 'refused'; reason: string }
  /** It could not be tried; the caller is still here. */
  | { type: 'failed'; message: string };

/** The audio of one answered call, and its transfer. */
export interface MediaLeg extends AudioLeg {
  /**
   * Hands the far end over to somebody else. One at a time; frames go on both ways until it has an outcome. Where the
   * far end leaves because of the transfer, the outcome MUST come before the leg's end does. A leg without this cannot.
   */
  transfer?(request: TransferRequest): Promise<TransferOutcome>;
}

/** Why a call's leg is over, seen from the far end or the network. */
export type LegEnd =
  | { cause: 'remote-hangup' }
  /** The caller gave up before the call was answered. */
  | { cause: 'canceled' }
  | { cause: 'local-hangup' }
  /** A call that was placed came to nothing; `message` says more, such as the SIP status. */
  | { cause: 'not-answered'; why: DialFailure; message: string }
  | { cause: 'transport-error'; message: string };

/** Why a call that was placed was not answered; `failed` is everything that is not up to the person who was called. */
export type DialFailure = 'busy' | 'no-answer' | 'declined' | 'invalid-destination' | 'failed';

export type RejectCause = 'busy' | 'not-found' | 'unavailable' | 'declined' | 'overloaded' | 'error';

export interface Party {
  /** The E.164 number where there is one, else the user part of the address. */
  readonly number: string;
  readonly displayName: string | null;
  /** The whole address, such as `sip:+31201234567@example.com`. */
  readonly uri: string;
}

/** A call that a telephony adapter has received. Each method is idempotent and safe in every state. */
export interface IncomingCall {
  /** The adapter's own id, such as the SIP Call-ID; for logs. */
  readonly id: string;
  readonly from: Party;
  readonly to: Party;
  /** What the host's `numbersOf` gave for it, where the adapter has asked. */
  readonly dialed?: DialedNumber | undefined;
  /**
   * What the leg will carry, where that is known before the answer: providers are then connected while the call rings.
   */
  readonly format?: AudioFormat | undefined;
  /** Tells the far end that it rings (SIP 180). */
  ring(): void;
  /** Resolves when the far end has acknowledged the answer; rejects when the leg ends before that. */
  answer(): Promise<MediaLeg>;
  reject(cause: RejectCause): void;
  hangup(): void;
  /** Called exactly once, also when this side hung up; at once if the leg is over already. */
  onEnd(listener: (end: LegEnd) => void): void;
}

/** The way to a provider, with what it takes to use it. */
export interface TrunkAccess {
  readonly id: string;
  /** `host` or `host:port`. */
  readonly address: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  /** Which sources of RTP are accepted; the adapter's choice by default. */
  readonly mediaSource?: 'latch' | 'strict' | null;
  /** Null where the provider knows us by our address. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
}

export interface DialRequest {
  /** The service's own id of the call. */
  readonly callId: string;
  /** E.164, or a SIP address. */
  readonly destination: string;
  /** The number that the called party sees. */
  readonly callerNumber: string;
  readonly trunk: TrunkAccess;
}

/** A call that a telephony adapter places. Each method is idempotent and safe in every state. */
export interface OutgoingCall {
  /** The adapter's own id, such as the SIP Call-ID; for logs. */
  readonly id: string;
  /** Resolves when the far end has answered; rejects, after `onEnd` was told, when the leg ends before that. */
  whenAnswered(): Promise<MediaLeg>;
  /** Gives the call up, or ends it. */
  hangup(): void;
  /** Called exactly once, also when this side hung up; at once if the leg is over already. */
  onEnd(listener: (end: LegEnd) => void): void;
}

/** What the service gives a telephony adapter. */
export interface TelephonyHost {
  readonly clock: Clock;
  readonly logger: Logger;
  /** False when the node is full or closing: the adapter then refuses with a retry hint (SIP 503, Retry-After). */
  admits(): boolean;
  /** A call was refused for that reason. */
  refused(): void;
  onIncomingCall(call: IncomingCall): void;
  /**
   * Returns the registered numbers that a dialed text may stand for: the exact one first, for an adapter that lets only
   * trunks call. National numbers are matched in every country, so that several may be found.
   */
  numbersOf?(dialed: string): Promise<readonly DialedNumber[]>;
}

/** A registered number. An adapter that has asked for it hands it back with the call, so that it is looked up once. */
export interface DialedNumber {
  /** E.164. */
  readonly number: string;
  /** False where the dialed text is this number only as a national number of its country. */
  readonly isExact: boolean;
  /** The active trunks of the organization that has it. */
  readonly trunks: readonly InboundTrunk[];
}

/** A trunk, as far as it takes to know it by. */
export interface InboundTrunk {
  /** `host` or `host:port`. */
  readonly address: string;
  /** Null where it is known by its address alone. */
  readonly username: string | null;
  /** Which sources of RTP are accepted; the adapter's choice by default. */
  readonly mediaSource?: 'latch' | 'strict' | null;
  /** Reads it; null where there is none. */
  password(): Promise<string | null>;
}

/** A way for calls to come in and go out, such as SIP. */
export interface Telephony {
  readonly id: string;
  start(host: TelephonyHost): Promise<void>;
  /** Places a call; what goes wrong is the call's end. An adapter without this takes calls only. */
  dial?(request: DialRequest): OutgoingCall;
  /** Refuses new calls, ends the live ones, closes every socket. */
  close(): Promise<void>;
}

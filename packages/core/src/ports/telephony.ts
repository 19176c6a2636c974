import type { AudioLeg } from '@va/media';
import type { RegistrationHealth } from '../domain/deployment/node-details.ts';
import type { CarrierAccount, CarrierCredentials, CarrierType } from '../domain/numbers/carrier-account.ts';
import type { NodeTrunkHealth } from '../domain/numbers/trunk-health.ts';
import type { CallDisplay, CallerInput, CallGrant } from './call-display.ts';
import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';
import type { AudioFormat } from './media/audio-format.ts';
import type { TelephonyHttp } from './telephony-http.ts';

/** `blind` transfers at once; `warm` briefs the destination and asks it first. */
export type TransferMode = 'blind' | 'warm';

/** A transfer that the telephony adapter executes. */
export interface TransferRequest {
  /** E.164 number or SIP address. */
  readonly destination: string;
  readonly mode: TransferMode;
  /** Keys to press once the destination has answered; null for none. Only the service itself presses them. */
  readonly keysOnAnswer: string | null;
  /** Summary of the call for the destination; null if there is none. */
  readonly summary: string | null;
  /** Aborts when the transfer is given up: the call has ended, or it took too long. */
  readonly signal: AbortSignal;
}

/** Result of a transfer. */
export type TransferOutcome =
  /** The caller is connected with the destination, or the network has taken over: this leg is hung up. */
  | { type: 'accepted' }
  /** The destination declined or did not answer; the caller is still on this leg. */
  | { type: 'refused'; reason: string }
  /** The transfer could not be attempted; the caller is still on this leg. */
  | { type: 'failed'; message: string };

/** The media of one answered call, with the means to transfer it. */
export interface MediaLeg extends AudioLeg {
  /**
   * Transfers the far end, one transfer at a time; media continue until the outcome. If the far end leaves because of
   * the transfer, the outcome MUST precede the end of the leg. Absent if unsupported.
   */
  transfer?(request: TransferRequest): Promise<TransferOutcome>;
}

/** End of a leg, as caused by the far end or the network. */
export type LegEnd =
  | { cause: 'remote-hangup' }
  /** The caller hung up before the answer. */
  | { cause: 'canceled' }
  | { cause: 'local-hangup' }
  /** An outbound call was not answered; `message` has details, such as the SIP status. */
  | { cause: 'not-answered'; why: DialFailure; message: string }
  | { cause: 'transport-error'; message: string };

/** Reason for which an outbound call was not answered; `failed` if it does not depend on the called person. */
export type DialFailure = 'busy' | 'no-answer' | 'declined' | 'invalid-destination' | 'failed';

/** Reason for which an incoming call is rejected. */
export type RejectCause = 'busy' | 'not-found' | 'unavailable' | 'declined' | 'overloaded' | 'error';

/** Calling or called party of a call. */
export interface Party {
  /** The E.164 number if there is one, else the user part of the address. */
  readonly number: string;
  readonly displayName: string | null;
  /** The complete address, such as `sip:+31201234567@example.com`. */
  readonly uri: string;
}

/** A received call. Each method is idempotent and safe in every state. */
export interface IncomingCall {
  /** The adapter's id, such as the SIP Call-ID; for logs. */
  readonly id: string;
  readonly from: Party;
  readonly to: Party;
  /** Result of the host's `numbersOf`, if the adapter called it. */
  readonly dialed?: DialedNumber | undefined;
  /** Result of the host's `redeem`: the call is for the agent of the grant, and no number is dialed. */
  readonly grant?: CallGrant | undefined;
  /** Expected audio format, if it is known before the answer: providers are then connected while the call rings. */
  readonly format?: AudioFormat | undefined;
  /** Sends a ringing indication (SIP 180). */
  ring(): void;
  /** Resolves when the far end has acknowledged the answer; rejects if the leg ends before. */
  answer(): Promise<MediaLeg>;
  reject(cause: RejectCause): void;
  hangup(): void;
  /** Calls the listener exactly once, also when this side hung up; immediately if the leg has ended. */
  onEnd(listener: (end: LegEnd) => void): void;
  /** Connects a far end that shows the conversation. Called once, before anything else. */
  openDisplay?(input: CallerInput): CallDisplay;
}

/** A trunk with its credentials. */
export interface TrunkAccess {
  readonly id: string;
  /** `host` or `host:port`. */
  readonly address: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  /** Accepted sources of RTP; by default the adapter's choice. */
  readonly mediaSource?: 'latch' | 'strict' | null;
  /** Null if the trunk's provider identifies this service by its address. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
}

/** A call to place over a SIP trunk. */
export interface DialRequest {
  /** The service's id of the call. */
  readonly callId: string;
  /** E.164 number or SIP address. */
  readonly destination: string;
  /** Number shown to the called party. */
  readonly callerNumber: string;
  readonly trunk: TrunkAccess;
}

/** A carrier's trunk with its account and credentials. */
export interface CarrierAccess<T extends CarrierType = CarrierType> {
  readonly id: string;
  readonly type: T;
  readonly account: CarrierAccount<T>;
  readonly credentials: CarrierCredentials<T>;
}

/** A call to place over a carrier's trunk. */
export interface CarrierDialRequest<T extends CarrierType = CarrierType> extends Omit<DialRequest, 'trunk'> {
  readonly trunk: CarrierAccess<T>;
}

/** A placed call. Each method is idempotent and safe in every state. */
export interface OutgoingCall {
  /** The adapter's id, such as the SIP Call-ID; for logs. */
  readonly id: string;
  /** Resolves when the far end has answered; rejects, after the `onEnd` listener was called, if the leg ends before. */
  whenAnswered(): Promise<MediaLeg>;
  /** Cancels or ends the call. */
  hangup(): void;
  /** Calls the listener exactly once, also when this side hung up; immediately if the leg has ended. */
  onEnd(listener: (end: LegEnd) => void): void;
}

/** The service as a telephony adapter sees it. */
export interface TelephonyHost {
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Public URL of the adapter's HTTP interface, such as `https://example.com/voice/telephony/twilio`; null if the host
   * has not set `publicUrl`.
   */
  readonly publicUrl?: string | null;
  /** False if the node is full or closing: the adapter then refuses with a retry hint (SIP 503, Retry-After). */
  admits(): boolean;
  /** Counts a call that the adapter refused because `admits` returned false. */
  refused(): void;
  onIncomingCall(call: IncomingCall): void;
  /**
   * Returns the registered numbers that a dialed text may mean, the exact match first. An adapter that accepts only
   * calls of known trunks needs their `trunks`. A national number is matched in every country, so there may be several.
   */
  numbersOf?(dialed: string): Promise<readonly DialedNumber[]>;
  /**
   * Redeems the token of a web call or supervisor, which is valid once. Returns null if the token is unknown, expired
   * or used, or if it is not valid for pages of the origin.
   *
   * @param origin value of the header `Origin`; null if the request has none
   */
  redeem?(token: string, origin: string | null): Promise<CallGrant | null>;
}

/** A registered number. An adapter that looked it up passes it with the call, so that it is looked up once. */
export interface DialedNumber {
  /** E.164. */
  readonly number: string;
  /** False if the dialed text is this number only as a national number of its country. */
  readonly isExact: boolean;
  /** Active SIP trunks of the number's organization. */
  readonly trunks: readonly InboundTrunk[];
  /** Active carriers' trunks of the number's organization; none by default. */
  readonly carrierTrunks?: readonly InboundCarrierTrunk[];
}

/** The identifying fields of a carrier's trunk. */
export interface InboundCarrierTrunk {
  readonly id: string;
  readonly type: CarrierType;
  readonly account: CarrierAccount;
  /**
   * Reads the trunk with its credentials.
   * @throws VaultError
   */
  access(): Promise<CarrierAccess>;
}

/** The identifying fields of a SIP trunk. */
export interface InboundTrunk {
  /** `host` or `host:port`. */
  readonly address: string;
  /** Null if it is identified by its address only. */
  readonly username: string | null;
  /** Accepted sources of RTP; by default the adapter's choice. */
  readonly mediaSource?: 'latch' | 'strict' | null;
  /** Reads the password; null if there is none. */
  password(): Promise<string | null>;
}

/** An adapter for inbound and outbound calls, such as SIP. */
export interface Telephony extends TelephonyHttp {
  /** Id of the adapter: lower-case letters, digits and `-` if it has an HTTP interface, whose URL contains the id. */
  readonly id: string;
  /** Path below its HTTP interface at which browsers connect, such as `/calls`; absent if it takes no web calls. */
  readonly webCallPath?: string;
  /** WebSocket URL at which browsers reach this process in particular; null or absent: the URL of the service. */
  readonly webCallUrl?: string | null;
  /** Current state of the host's SIP accounts that the adapter keeps registered; none by default. */
  readonly registrations?: readonly RegistrationHealth[];
  /** Facts about trunks that the adapter observed, by trunk id; empty by default. */
  readonly trunkHealth?: ReadonlyMap<string, Partial<NodeTrunkHealth>>;
  start(host: TelephonyHost): Promise<void>;
  /** Places a call over a SIP trunk; failures end the call (`onEnd`). Absent in adapters without SIP trunks. */
  dial?(request: DialRequest): OutgoingCall;
  /** Carrier whose trunks `dialCarrier` takes. */
  readonly carrier?: CarrierType;
  /** Places a call over a trunk of the carrier; failures end the call (`onEnd`). */
  dialCarrier?(request: CarrierDialRequest): OutgoingCall;
  /** Refuses new calls, ends live ones and closes all sockets. */
  close(): Promise<void>;
}

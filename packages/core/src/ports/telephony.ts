import type { AudioFormat } from './audio-format.ts';
import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

/** A digit the far end pressed (RFC 4733 §3.2): `0`–`9`, `*`, `#`, `A`–`D`. */
export interface DtmfDigit {
  readonly digit: string;
  readonly durationMs: number;
}

/**
 * The audio of one answered call, in frames of 20 ms. The media plane calls `receive` and `send` once per tick, from
 * the tick itself; both MUST return at once and never throw.
 */
export interface MediaLeg {
  /** What `receive` returns and `send` takes: G.711 at 8 kHz, 160 bytes a frame. */
  readonly format: AudioFormat;
  /** The next frame of the jitter buffer, or null where there is none (lost, late, or nothing sent). */
  receive(): Uint8Array | null;
  send(frame: Uint8Array): void;
  onDtmf(listener: (digit: DtmfDigit) => void): void;
}

/** Why a call's leg is over, seen from the far end or the network. */
export type LegEnd =
  | { cause: 'remote-hangup' }
  /** The caller gave up before the call was answered. */
  | { cause: 'canceled' }
  | { cause: 'local-hangup' }
  | { cause: 'transport-error'; message: string };

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
  /** Tells the far end that it rings (SIP 180). */
  ring(): void;
  /** Resolves when the far end has acknowledged the answer; rejects when the leg ends before that. */
  answer(): Promise<MediaLeg>;
  reject(cause: RejectCause): void;
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
  onIncomingCall(call: IncomingCall): void;
}

/** A way for calls to come in, such as SIP. */
export interface Telephony {
  readonly id: string;
  start(host: TelephonyHost): Promise<void>;
  /** Refuses new calls, ends the live ones, closes every socket. */
  close(): Promise<void>;
}

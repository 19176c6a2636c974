import type { AudioCodec } from '../codec/audio-codec.ts';
import type { Endpoint } from '../runtime/endpoint.ts';
import type { SrtpAgreement } from '../srtp/srtp-agreement.ts';

/** Direction of a media stream, from our side. @see RFC 3264 §6.1 */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** One payload type of a session description (`a=rtpmap`). */
export interface PayloadMapping {
  readonly payloadType: number;
  /** In lower case. */
  readonly encodingName: string;
  readonly clockRateHz: number;
}

/** Result of the offer/answer exchange for the audio stream. @see RFC 3264 */
export interface Agreement {
  /** Index of the `m=` line. */
  readonly mediaIndex: number;
  readonly codec: AudioCodec;
  readonly payloadType: number;
  /** Payload type of DTMF events that we send, as numbered by the peer; null if unsupported. */
  readonly telephoneEventPayloadType: number | null;
  /** Clock rate of the event durations. */
  readonly telephoneEventClockRateHz: number;
  /** All payload types of the peer's description: it may send these, in addition to those of our own description. */
  readonly mappings: readonly PayloadMapping[];
  /** SRTP keys; null for unencrypted media. */
  readonly security: SrtpAgreement | null;
  readonly rtcp: { readonly mux: boolean; readonly port: number };
  readonly remote: Endpoint;
  /** Duration of the packets that we send: 20 ms, or 10 ms when the peer's `a=maxptime` is below 20. */
  readonly packetMs: 10 | 20;
  /** Our direction, within what the peer allows. */
  readonly direction: Direction;
}

/** Returns true if we send audio in this direction. */
export function sends(direction: Direction): boolean {
  return direction === 'sendrecv' || direction === 'sendonly';
}

/** Returns true if we receive audio in this direction. */
export function receives(direction: Direction): boolean {
  return direction === 'sendrecv' || direction === 'recvonly';
}

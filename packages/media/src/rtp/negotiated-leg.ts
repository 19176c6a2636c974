import type { CodecName } from '../codec/audio-codec.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import type { AudioLeg } from '../plane/audio-leg.ts';
import type { Agreement } from './agreement.ts';
import type { MediaTrust } from './media-trust.ts';

/** Media of a call as seen by its session description: a port and the negotiated parameters. */
export interface NegotiatedLeg extends AudioLeg {
  /** Receiving port. */
  readonly port: number;
  readonly agreement: Agreement | null;
  /**
   * Applies negotiated parameters, at first and after each new offer.
   * @param offered codecs of our own offer; empty if the far end offered
   * @param trust accepted sources; by default the address of the session description
   */
  apply(agreement: Agreement, offered?: readonly CodecName[], trust?: MediaTrust): void;
  /** Reports a digit that arrived in the signalling. */
  receiveDigit(digit: DtmfDigit): void;
  /** Frees the port. Idempotent. */
  close(): void;
}

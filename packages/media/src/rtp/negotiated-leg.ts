import type { CodecName } from '../codec/audio-codec.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import type { AudioLeg } from '../plane/audio-leg.ts';
import type { Agreement } from './agreement.ts';
import type { MediaTrust } from './media-trust.ts';

/** Leg whose parameters are negotiated by SDP. */
export interface NegotiatedLeg extends AudioLeg {
  /** Receiving port. */
  readonly port: number;
  readonly agreement: Agreement | null;
  /**
   * Applies negotiated parameters, at first and after each new offer.
   * @param offered codecs of our own offer; empty if the far end offered
   * @param trust rules for accepted sources; by default those of the last call, at first the address in the SDP
   */
  apply(agreement: Agreement, offered?: readonly CodecName[], trust?: MediaTrust): void;
  /** Takes a digit that arrived in the signalling, such as a SIP INFO. */
  receiveDigit(digit: DtmfDigit): void;
  /** Frees the port. Idempotent. */
  close(): void;
}

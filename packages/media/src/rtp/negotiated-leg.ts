import type { CodecName } from '../codec/audio-codec.ts';
import type { AudioLeg, DtmfDigit } from '../plane/audio-leg.ts';
import type { Agreement } from './agreement.ts';
import type { MediaTrust } from './media-trust.ts';

/** The media of a call as its session description sees them: a port, and what was agreed on. */
export interface NegotiatedLeg extends AudioLeg {
  /** Where it receives. */
  readonly port: number;
  readonly agreement: Agreement | null;
  /**
   * Takes over what was agreed, at first and after each new offer.
   * @param offered the codecs of our own offer; none where the offer was the far end's
   * @param trust whose packets are accepted; by default those from the address that the description names
   */
  apply(agreement: Agreement, offered?: readonly CodecName[], trust?: MediaTrust): void;
  /** A key that the signalling tells of. */
  receiveDigit(digit: DtmfDigit): void;
  /** Frees the port. Idempotent. */
  close(): void;
}

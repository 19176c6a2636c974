import type { MediaLeg } from '@va/core/adapter';
import type { NegotiatedLeg } from '@va/media';

/** Media leg of a SIP call, which its dialog can transfer (REFER). */
export interface SipMediaLeg extends NegotiatedLeg, MediaLeg {
  /** Set by the call that owns the leg if it can be transferred. */
  transfer?: NonNullable<MediaLeg['transfer']>;
}

import type { MediaLeg } from '@va/core';
import type { NegotiatedLeg } from '@va/media';

/** The media of a SIP call, which its dialog can transfer (REFER). */
export interface SipMediaLeg extends NegotiatedLeg, MediaLeg {
  /** Set by the call that the leg belongs to, where it can be transferred. */
  transfer?: NonNullable<MediaLeg['transfer']>;
}

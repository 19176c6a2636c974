import type { DtmfDigit } from '@va/core';

/** What became of an offer: our answer, or why there is none. */
export type AnswerOutcome =
  | { readonly ok: true; readonly answer: Uint8Array }
  /** `warning` is the text of a Warning header. */
  | { readonly ok: false; readonly warning: string };

/**
 * The media of a session, as far as signalling has to do with it. Descriptions are `application/sdp`; `signalling` is
 * the IP address that one came from.
 */
export interface SessionMedia {
  /** What we want; with a session that runs, what it has. */
  offer(): Uint8Array;
  /** Answers the peer's offer and puts it into effect. Where it cannot, everything stays as it was. */
  answer(offer: Uint8Array, signalling?: string): AnswerOutcome;
  /**
   * Puts the peer's answer to our offer into effect; false when there is nothing to agree on. Where a call is forked,
   * one offer has several answers, of which the last one counts.
   */
  accept(answer: Uint8Array, signalling?: string): boolean;
  /** While held, offers and answers say that we do not want to hear the far end (RFC 3264 §8.4). */
  hold(held: boolean): void;
  /** A key that the far end pressed, told by the signalling. */
  receiveDigit(digit: DtmfDigit): void;
  close(): void;
}

export const sdpType = 'application/sdp';

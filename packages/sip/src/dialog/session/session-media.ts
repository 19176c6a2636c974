import type { DtmfDigit } from '@va/core/adapter';

/** Result of an offer: the local answer, or why there is none. */
export type AnswerOutcome =
  | { readonly ok: true; readonly answer: Uint8Array }
  /** `warning` is the text of a Warning header. */
  | { readonly ok: false; readonly warning: string };

/**
 * Media of a session as the signalling sees it. Offers and answers are `application/sdp`; `signalling` is the IP
 * address from which the peer sent its offer or answer.
 */
export interface SessionMedia {
  /** Returns a local offer; for a running session it describes the present state. */
  offer(): Uint8Array;
  /** Answers the peer's offer and applies it. If it cannot be answered, nothing changes. */
  answer(offer: Uint8Array, signalling?: string): AnswerOutcome;
  /**
   * Applies the peer's answer to a local offer; returns false if the answer does not fit. When a call is forked, one
   * offer has several answers, of which the last one counts.
   */
  accept(answer: Uint8Array, signalling?: string): boolean;
  /**
   * Sets whether the peer is on hold: offers and answers then state that nothing is received from it (RFC 3264 §8.4).
   */
  hold(held: boolean): void;
  /** Reports a DTMF digit that arrived in the signalling. */
  receiveDigit(digit: DtmfDigit): void;
  close(): void;
}

export const sdpType = 'application/sdp';

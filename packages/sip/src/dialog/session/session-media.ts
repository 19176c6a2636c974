import type { DtmfDigit } from '@va/core/adapter';

/** Result of an offer: the local answer, or why there is none. */
export type AnswerOutcome =
  | { readonly ok: true; readonly answer: Uint8Array }
  /** `warning` is the text of a Warning header. */
  | { readonly ok: false; readonly warning: string };

/**
 * Media of a session as the signalling sees it. Descriptions are `application/sdp`; `signalling` is the IP address from
 * which one was received.
 */
export interface SessionMedia {
  /** Returns a local offer; for a running session it describes the present state. */
  offer(): Uint8Array;
  /** Answers the peer's offer and applies it. If it cannot be answered, nothing changes. */
  answer(offer: Uint8Array, signalling?: string): AnswerOutcome;
  /**
   * Applies the peer's answer to a local offer; returns false when there is nothing to agree on. When a call is forked,
   * one offer has several answers, of which the last one counts.
   */
  accept(answer: Uint8Array, signalling?: string): boolean;
  /** While on hold, offers and answers state that nothing is received from the peer (RFC 3264 §8.4). */
  hold(held: boolean): void;
  /** Reports a DTMF digit that arrived in the signalling. */
  receiveDigit(digit: DtmfDigit): void;
  close(): void;
}

export const sdpType = 'application/sdp';

/**
 * Assigns what a recognizer reports to the parts of the caller's audio. Recognizers answer `finalize` requests in order
 * and do not name them, so a report belongs to the oldest part without an answer.
 */
export class PendingParts {
  #parts: number[] = [];

  /** Part of the words reported next; null if the recognizer has answered all requests. */
  get current(): number | null {
    return this.#parts[0] ?? null;
  }

  /**
   * Adds a part. Parts that are no longer awaited are removed: a recognizer that never answers a request would
   * otherwise have all later answers assigned to the wrong part.
   */
  requested(part: number, awaited: readonly number[]): void {
    this.#parts = [...this.#parts.filter((each) => awaited.includes(each)), part];
  }

  /** Returns the part that was answered; null for an answer without a request. */
  finalized(): number | null {
    return this.#parts.shift() ?? null;
  }
}

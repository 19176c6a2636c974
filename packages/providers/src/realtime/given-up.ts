import type { RealtimeEvent } from '@va/core';

/** Tracks the responses that were cancelled before the reader reached their end: their remaining events are dropped. */
export class GivenUpResponses {
  readonly #unended = new Set<number>();
  readonly #givenUp = new Set<number>();

  asked(response: number): void {
    this.#unended.add(response);
  }

  giveUp(response: number): void {
    if (this.#unended.has(response)) this.#givenUp.add(response);
  }

  /** Returns the event to emit; undefined for a dropped one. */
  filter(event: RealtimeEvent): RealtimeEvent | undefined {
    if (event.type === 'user-text') return event;
    const { response } = event;
    if (event.type !== 'response-done' && event.type !== 'response-failed') {
      return this.#givenUp.has(response) ? undefined : event;
    }
    this.#unended.delete(response);
    const wasGivenUp = this.#givenUp.delete(response);
    if (!wasGivenUp || event.type === 'response-done') return event;
    return { type: 'response-done', response, status: 'cancelled' };
  }
}

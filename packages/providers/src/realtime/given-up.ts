import type { RealtimeEvent } from '@va/core';

/** Which responses were cancelled before the reader had come to their end: what is left of them is not to be told. */
export class GivenUpResponses {
  readonly #unended = new Set<number>();
  readonly #givenUp = new Set<number>();

  asked(response: number): void {
    this.#unended.add(response);
  }

  giveUp(response: number): void {
    if (this.#unended.has(response)) this.#givenUp.add(response);
  }

  /** The event as it is to be told; undefined for one that is not. */
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

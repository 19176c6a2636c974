import type { RealtimeEvent } from '@va/core/adapter';

/** Tracks the responses that were cancelled before the reader reached their end: their remaining events are dropped. */
export class CancelledResponses {
  readonly #unended = new Set<number>();
  readonly #cancelled = new Set<number>();

  requested(response: number): void {
    this.#unended.add(response);
  }

  cancel(response: number): void {
    if (this.#unended.has(response)) this.#cancelled.add(response);
  }

  /** Returns the event to emit; undefined for a dropped one. */
  filter(event: RealtimeEvent): RealtimeEvent | undefined {
    if (event.type === 'user-text' || event.type === 'usage') return event;
    const { response } = event;
    if (event.type !== 'response-done' && event.type !== 'response-failed') {
      return this.#cancelled.has(response) ? undefined : event;
    }
    this.#unended.delete(response);
    const wasCancelled = this.#cancelled.delete(response);
    if (!wasCancelled || event.type === 'response-done') return event;
    return { type: 'response-done', response, status: 'cancelled' };
  }
}

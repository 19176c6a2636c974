import type { LegEnd } from '@va/core/adapter';

/** The end of a call. Only the first one counts. It is reported once, also to a listener that is added later. */
export class CarrierCallEnd {
  #end: LegEnd | null = null;
  #listener: ((end: LegEnd) => void) | null = null;

  get isOver(): boolean {
    return this.#end !== null;
  }

  /** Returns false if the call has already ended. */
  set(end: LegEnd): boolean {
    if (this.#end !== null) return false;
    this.#end = end;
    return true;
  }

  /** Reports the end to the listener, once both are set. */
  report(): void {
    const listener = this.#listener;
    if (this.#end === null || listener === null) return;
    this.#listener = null;
    listener(this.#end);
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#listener = listener;
    this.report();
  }
}

import type { Clock, DtmfDigit } from '@va/core/media';
import { TimerSlot } from '../transaction/timers.ts';
import { parseTelephoneEvent } from './telephone-event.ts';

/** An event of which nothing more comes for this long has ended, and its end packets were lost. */
const silentEndMs = 150;

/**
 * Makes one digit of the packets of each event. They are told apart by their timestamp, which all packets of one event
 * share; neither the marker bit nor the end packets are needed.
 * @see RFC 4733 §2.5
 */
export class DtmfReceiver {
  readonly #timeout: TimerSlot;
  readonly #listener: (digit: DtmfDigit) => void;
  #timestamp: number | null = null;
  #current: { readonly digit: string; readonly clockRateHz: number; duration: number } | null = null;

  constructor(clock: Clock, listener: (digit: DtmfDigit) => void) {
    this.#timeout = new TimerSlot(clock);
    this.#listener = listener;
  }

  /** @param clockRateHz what durations count, as agreed on for the payload type */
  receive(timestamp: number, payload: Uint8Array, clockRateHz: number = 8_000): void {
    const event = parseTelephoneEvent(payload);
    if (event === null) return;
    if (timestamp !== this.#timestamp) {
      // A packet of an earlier event that came late is older than the one at hand.
      if (this.#timestamp !== null && ((timestamp - this.#timestamp) | 0) < 0) return;
      this.#finish();
      this.#timestamp = timestamp;
      this.#current = { digit: event.digit, clockRateHz, duration: 0 };
    }
    if (this.#current === null) return;
    this.#current.duration = Math.max(this.#current.duration, event.duration);
    if (event.end) this.#finish();
    else this.#timeout.set(silentEndMs, () => this.#finish());
  }

  /** A new sender counts from another start. */
  reset(): void {
    this.#finish();
    this.#timestamp = null;
  }

  close(): void {
    this.#timeout.clear();
    this.#current = null;
  }

  #finish(): void {
    this.#timeout.clear();
    const ended = this.#current;
    this.#current = null;
    if (ended === null) return;
    this.#listener({ digit: ended.digit, durationMs: (ended.duration * 1_000) / ended.clockRateHz });
  }
}

import type { DtmfDigit } from '../../dsp/dtmf-digit.ts';
import { parseTelephoneEvent } from '../../packet/telephone-event.ts';
import type { Clock } from '../../runtime/clock.ts';
import { TimerSlot } from '../../runtime/timer-slot.ts';

/**
 * Minimum duration of a segment, in timestamp units, that the next one may continue: a long event is sent in segments,
 * each of which starts at the end of the one before.
 */
const longDuration = 0x8000;
/** Tolerance for the start of the next segment, because the last packets of a segment may be lost. */
const slackMs = 100;
/** An event without packets for this long has ended, and its end packets were lost. */
const silentEndMs = 150;
/**
 * Maximum age of a late packet: a segment of 8.2 s and its delay. An older timestamp means that the sender has
 * restarted.
 */
const maxLateMs = 10_000;

interface Pressed {
  readonly digit: string;
  readonly clockRateHz: number;
  /** Duration of the segments before this one. */
  before: number;
  duration: number;
}

/**
 * Reports one digit per event. Events are identified by their timestamp, which all packets of an event share; neither
 * the marker bit nor the end packets are needed.
 * @see RFC 4733 §2.5
 */
export class DtmfReceiver {
  readonly #timeout: TimerSlot;
  readonly #listener: (digit: DtmfDigit) => void;
  #timestamp: number | null = null;
  #current: Pressed | null = null;

  constructor(clock: Clock, listener: (digit: DtmfDigit) => void) {
    this.#timeout = new TimerSlot(clock);
    this.#listener = listener;
  }

  /** @param clockRateHz unit of durations, as negotiated for the payload type */
  receive(timestamp: number, payload: Uint8Array, clockRateHz: number = 8_000): void {
    const event = parseTelephoneEvent(payload);
    if (event === null) return;
    if (timestamp !== this.#timestamp) {
      if (this.#isLate(timestamp, clockRateHz)) return;
      if (!this.#goesOn(event.digit, timestamp)) {
        this.#finish();
        this.#current = { digit: event.digit, clockRateHz, before: 0, duration: 0 };
      }
      this.#timestamp = timestamp;
    }
    if (this.#current === null) return;
    this.#current.duration = Math.max(this.#current.duration, event.duration);
    if (event.end) this.#finish();
    else this.#timeout.set(silentEndMs, () => this.#finish());
  }

  /** Resets the state, because a new sender starts from other timestamps. */
  reset(): void {
    this.#finish();
    this.#timestamp = null;
  }

  close(): void {
    this.#timeout.clear();
    this.#current = null;
  }

  /** Returns true for a packet of an event before the current one. */
  #isLate(timestamp: number, clockRateHz: number): boolean {
    if (this.#timestamp === null) return false;
    const ahead = (timestamp - this.#timestamp) | 0;
    return ahead < 0 && -ahead <= (clockRateHz * maxLateMs) / 1_000;
  }

  /** Returns true for the next segment of the current event. @see RFC 4733 §2.5.1.3 */
  #goesOn(digit: string, timestamp: number): boolean {
    const current = this.#current;
    if (current === null || this.#timestamp === null) return false;
    const passed = (timestamp - this.#timestamp) | 0;
    const slack = (current.clockRateHz * slackMs) / 1_000;
    const follows = passed > 0 && passed <= current.duration + slack;
    if (current.digit !== digit || current.duration < longDuration || !follows) return false;
    current.before += passed;
    current.duration = 0;
    return true;
  }

  #finish(): void {
    this.#timeout.clear();
    const ended = this.#current;
    this.#current = null;
    if (ended === null) return;
    this.#listener({ digit: ended.digit, durationMs: ((ended.before + ended.duration) * 1_000) / ended.clockRateHz });
  }
}

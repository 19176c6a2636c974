import { frameMs } from '../../codec/frame.ts';
import type { DtmfPacket } from '../rtp-sender.ts';

/** The end of an event is sent this often, at the pace of its other packets. @see RFC 4733 §2.5.1.4 */
const endPackets = 3;
/** Silent frames after the last packet of a digit, beside the time that its repetitions take. */
const gapFrames = 3;
const pauses: Readonly<Record<string, number>> = { w: 500, W: 1_000 };
const minToneMs = 40;
/** Within what the 16-bit duration of an event can tell at 8 kHz, so that none has to be split (8.1 s). */
const maxToneMs = 6_000;
const isDigit = /^[0-9*#A-D]$/;

/** What goes out in place of one frame of audio. */
export type DtmfStep =
  | { readonly kind: 'pause' }
  /** A packet of an event; as a tone it sounds from `soundsFromMs` until the packet's `durationMs`. */
  | { readonly kind: 'event'; readonly packet: DtmfPacket; readonly soundsFromMs: number };

/** Keys to be pressed, a step for each frame, one string of them after the other. */
export class DtmfSender {
  readonly #waiting: Iterator<DtmfStep>[] = [];

  /** Digits and pauses; what is neither is left out. */
  press(keys: string, toneMs: number): void {
    this.#waiting.push(stepsOf(keys, toneMs > minToneMs ? Math.min(toneMs, maxToneMs) : minToneMs));
  }

  /** What is to be sent in this frame; null where nothing is pressed. */
  next(): DtmfStep | null {
    for (let steps = this.#waiting[0]; steps !== undefined; steps = this.#waiting[0]) {
      const { done, value } = steps.next();
      if (done !== true) return value;
      this.#waiting.shift();
    }
    return null;
  }
}

function* stepsOf(keys: string, toneMs: number): Generator<DtmfStep, void, undefined> {
  for (const key of keys) {
    const pauseMs = pauses[key];
    const digit = key.toUpperCase();
    if (pauseMs !== undefined) yield* silence(pauseMs / frameMs);
    else if (isDigit.test(digit)) yield* event(digit, toneMs);
  }
}

function* event(digit: string, toneMs: number): Generator<DtmfStep, void, undefined> {
  for (let fromMs = 0; fromMs < toneMs; fromMs += frameMs) {
    const durationMs = Math.min(fromMs + frameMs, toneMs);
    const packet = { digit, durationMs, first: fromMs === 0, end: durationMs === toneMs };
    yield { kind: 'event', packet, soundsFromMs: fromMs };
  }
  for (let sent = 1; sent < endPackets; sent++) {
    yield { kind: 'event', packet: { digit, durationMs: toneMs, first: false, end: true }, soundsFromMs: toneMs };
  }
  yield* silence(gapFrames);
}

function* silence(frames: number): Generator<DtmfStep, void, undefined> {
  for (let frame = 0; frame < frames; frame++) yield { kind: 'pause' };
}

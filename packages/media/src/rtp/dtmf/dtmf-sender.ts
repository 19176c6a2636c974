import { frameMs } from '../../codec/frame.ts';
import type { DtmfPacket } from '../rtp-sender.ts';

/** Number of end packets, sent at the pace of the others. @see RFC 4733 §2.5.1.4 */
const endPackets = 3;
/** Silent frames after the last packet of a digit, in addition to the time of its repetitions. */
const gapFrames = 3;
const pauses: Readonly<Record<string, number>> = { w: 500, W: 1_000 };
const minToneMs = 40;
/** Maximum duration of a tone. Its event fits into 16 bits at 8 kHz (8.1 s), so that none has to be split. */
const maxToneMs = 6_000;
const isDigit = /^[0-9*#A-D]$/;

/** Step of sending digits, which replaces one frame of audio. */
export type DtmfStep =
  | { readonly kind: 'pause' }
  /** A packet of an event; as an in-band tone it lasts from `soundsFromMs` to the packet's `durationMs`. */
  | { readonly kind: 'event'; readonly packet: DtmfPacket; readonly soundsFromMs: number };

/** Returns how long digits and pauses take to send, in milliseconds. */
export function dtmfDurationMs(keys: string, toneMs: number): number {
  let frames = 0;
  for (const _ of stepsOf(keys, boundedToneMs(toneMs))) frames += 1;
  return frames * frameMs;
}

/** Queue of digits to send, one step per frame. */
export class DtmfSender {
  readonly #waiting: Iterator<DtmfStep>[] = [];

  /** Appends digits and pauses; other characters are ignored. */
  press(keys: string, toneMs: number): void {
    this.#waiting.push(stepsOf(keys, boundedToneMs(toneMs)));
  }

  /** Returns the step of this frame; null if no digit is being sent. */
  next(): DtmfStep | null {
    for (let steps = this.#waiting[0]; steps !== undefined; steps = this.#waiting[0]) {
      const { done, value } = steps.next();
      if (done !== true) return value;
      this.#waiting.shift();
    }
    return null;
  }
}

function boundedToneMs(toneMs: number): number {
  return toneMs > minToneMs ? Math.min(toneMs, maxToneMs) : minToneMs;
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

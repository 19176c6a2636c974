import { decodeG711, type G711Encoding, g711Silence, sampleRateHz } from '@va/media';

/** The last seconds of a party's audio, kept as G.711: one byte per sample, 8,000 per second. */
export class RecentAudio {
  readonly #encoding: G711Encoding;
  readonly #ring: Uint8Array;
  /** Position of the next byte; the byte there is the oldest once the ring is full. */
  #at = 0;
  #kept = 0;

  constructor(encoding: G711Encoding, durationMs: number) {
    this.#encoding = encoding;
    this.#ring = new Uint8Array(samplesIn(durationMs)).fill(g711Silence[encoding]);
  }

  /** Copies a frame, which is shorter than the ring. */
  push(frame: Uint8Array): void {
    const fits = Math.min(frame.length, this.#ring.length - this.#at);
    this.#ring.set(frame.subarray(0, fits), this.#at);
    this.#ring.set(frame.subarray(fits), 0);
    this.#at = (this.#at + frame.length) % this.#ring.length;
    this.#kept = Math.min(this.#kept + frame.length, this.#ring.length);
  }

  /** Returns the samples of the last milliseconds, or as many as there are. */
  last(durationMs: number): Int16Array {
    const count = Math.min(this.#kept, samplesIn(durationMs));
    const samples = new Int16Array(count);
    const from = (this.#at - count + this.#ring.length) % this.#ring.length;
    const untilEnd = Math.min(count, this.#ring.length - from);
    decodeG711(this.#encoding, this.#ring.subarray(from, from + untilEnd), samples.subarray(0, untilEnd));
    decodeG711(this.#encoding, this.#ring.subarray(0, count - untilEnd), samples.subarray(untilEnd));
    return samples;
  }
}

function samplesIn(durationMs: number): number {
  return Math.max(0, Math.round((durationMs * sampleRateHz) / 1_000));
}

import { decodeSamples, type LegEncoding, legAudio } from '@va/media';

/** The last seconds of a party's audio, kept in the leg's encoding. */
export class RecentAudio {
  readonly #encoding: LegEncoding;
  readonly #bytesPerSample: number;
  readonly #ring: Uint8Array;
  /** Position of the next byte; the byte there is the oldest once the ring is full. */
  #at = 0;
  #kept = 0;

  constructor(encoding: LegEncoding, durationMs: number) {
    this.#encoding = encoding;
    const { silence, bytesPerSample } = legAudio[encoding];
    this.#bytesPerSample = bytesPerSample;
    this.#ring = new Uint8Array(this.#bytesIn(durationMs)).fill(silence);
  }

  /** Copies a frame, which is shorter than the ring. */
  push(frame: Uint8Array): void {
    const fits = Math.min(frame.length, this.#ring.length - this.#at);
    this.#ring.set(frame.subarray(0, fits), this.#at);
    this.#ring.set(frame.subarray(fits), 0);
    this.#at = (this.#at + frame.length) % this.#ring.length;
    this.#kept = Math.min(this.#kept + frame.length, this.#ring.length);
  }

  /** Returns the samples of the last milliseconds, or as many as there are, at the leg's rate. */
  last(durationMs: number): Int16Array {
    const bytes = Math.min(this.#kept, this.#bytesIn(durationMs));
    const samples = new Int16Array(bytes / this.#bytesPerSample);
    const from = (this.#at - bytes + this.#ring.length) % this.#ring.length;
    const untilEnd = Math.min(bytes, this.#ring.length - from);
    const split = untilEnd / this.#bytesPerSample;
    decodeSamples(this.#encoding, this.#ring.subarray(from, from + untilEnd), samples.subarray(0, split));
    decodeSamples(this.#encoding, this.#ring.subarray(0, bytes - untilEnd), samples.subarray(split));
    return samples;
  }

  #bytesIn(durationMs: number): number {
    const samples = Math.round((durationMs * legAudio[this.#encoding].sampleRateHz) / 1_000);
    return Math.max(0, samples * this.#bytesPerSample);
  }
}

import type { WavFormat } from './wav-format.ts';

/** Largest magnitude of a 16-bit sample. */
const fullScale = 32_768;

/** Keeps the largest magnitude per channel and point, of samples that arrive in chunks of any size. */
export class PeakMeter {
  readonly #channels: number;
  readonly #frames: number;
  readonly #points: number;
  readonly #peaks: readonly Uint16Array[];
  /** Bytes of an incomplete frame at the end of the last chunk. A frame has one sample per channel. */
  #rest: Uint8Array = new Uint8Array(0);
  #frame = 0;

  constructor({ channels, dataBytes }: WavFormat, points: number) {
    this.#channels = channels;
    this.#frames = dataBytes / (channels * 2);
    this.#points = Math.min(points, this.#frames);
    this.#peaks = Array.from({ length: channels }, () => new Uint16Array(this.#points));
  }

  /** Takes the next bytes of the samples, little-endian and interleaved. */
  push(chunk: Uint8Array): void {
    const bytes = this.#rest.byteLength === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frameBytes = this.#channels * 2;
    const frames = Math.min(Math.floor(bytes.byteLength / frameBytes), this.#frames - this.#frame);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const [channel, peaks] of this.#peaks.entries()) {
      for (let at = 0; at < frames; at += 1) {
        const point = Math.floor(((this.#frame + at) * this.#points) / this.#frames);
        const magnitude = Math.abs(view.getInt16(at * frameBytes + channel * 2, true));
        if (magnitude > (peaks[point] ?? 0)) peaks[point] = magnitude;
      }
    }
    this.#frame += frames;
    this.#rest = bytes.slice(frames * frameBytes, frames * frameBytes + frameBytes - 1);
  }

  /** Returns the peaks of each channel so far: from 0 to 1, with three decimals. */
  peaks(): number[][] {
    return this.#peaks.map((peaks) => Array.from(peaks, (peak) => Math.round((peak / fullScale) * 1_000) / 1_000));
  }
}

import { decodeG711, encodeG711, type G711Encoding } from '../codec/g711.ts';

const frameSamples = 160;
/** Whole frames that cover the history of the pitch search: 48.75 ms. */
const historyFrames = 3;
const historySamples = historyFrames * frameSamples;
/** From 200 Hz, the highest pitch considered, down to 66 Hz. */
const minPeriod = 40;
const maxPeriod = 120;
/** Length of the end that is compared with the signal one period before. */
const compared = 160;
/** Seams are cross-faded over a quarter of a period, at most this long. */
const maxSeam = maxPeriod / 4;
/** Maximum time of extrapolated speech, after which it has faded out. */
const maxConcealedFrames = 3;
const fadePerSample = 1 / (maxConcealedFrames * frameSamples - frameSamples / 2);
/** Full loudness for the first half frame. */
const fullSamples = frameSamples / 2;

/**
 * Conceals lost frames: repeats the last pitch period, faded out within 60 ms, and cross-fades to the next received
 * frame. Unlike in the recommendation, frames in order pass without delay.
 * @see ITU-T G.711 Appendix I
 */
export class Concealment {
  readonly #encoding: G711Encoding;
  /** The last frames, oldest first, in a ring. */
  readonly #history = new Uint8Array(historySamples);
  #at = 0;
  readonly #samples = new Int16Array(historySamples);
  readonly #ordered = new Uint8Array(historySamples);
  readonly #decoded = new Int16Array(frameSamples);
  readonly #codes = new Uint8Array(frameSamples);
  #period = 0;
  /** Number of consecutive concealed frames. */
  #concealed = 0;
  /** Samples since the start of the loss. */
  #position = 0;

  constructor(encoding: G711Encoding) {
    this.#encoding = encoding;
    this.reset();
  }

  /** Takes a received frame and returns the frame to play, which differs from it after a loss. */
  received(frame: Uint8Array): Uint8Array {
    const joined = this.#concealed > 0 ? this.#fadeIn(frame) : frame;
    this.#concealed = 0;
    this.#remember(joined);
    return joined;
  }

  /** Returns a frame in place of a lost one, valid until the next call; null when the voice has faded out. */
  lost(): Uint8Array | null {
    if (this.#concealed >= maxConcealedFrames) return null;
    if (this.#concealed === 0) this.#begin();
    this.#concealed += 1;
    for (let i = 0; i < frameSamples; i++) this.#decoded[i] = this.#next();
    return encodeG711(this.#encoding, this.#decoded, this.#codes);
  }

  /** Forgets the history after a change of the source. */
  reset(): void {
    this.#history.fill(encodeG711(this.#encoding, Int16Array.of(0))[0] as number);
    this.#at = 0;
    this.#concealed = 0;
  }

  #remember(frame: Uint8Array): void {
    this.#history.set(frame, this.#at);
    this.#at = (this.#at + frameSamples) % historySamples;
  }

  #begin(): void {
    this.#ordered.set(this.#history.subarray(this.#at), 0);
    this.#ordered.set(this.#history.subarray(0, this.#at), historySamples - this.#at);
    decodeG711(this.#encoding, this.#ordered, this.#samples);
    this.#period = this.#findPeriod();
    this.#position = 0;
    this.#smoothSeam();
  }

  /** Returns the lag with the highest correlation: searched in steps of two, then refined. */
  #findPeriod(): number {
    let best = minPeriod;
    let bestLikeness = Number.NEGATIVE_INFINITY;
    for (let period = minPeriod; period <= maxPeriod; period += 2) {
      const likeness = this.#likeness(period, 2);
      if (likeness <= bestLikeness) continue;
      bestLikeness = likeness;
      best = period;
    }
    const coarse = best;
    bestLikeness = Number.NEGATIVE_INFINITY;
    for (let period = Math.max(minPeriod, coarse - 1); period <= Math.min(maxPeriod, coarse + 1); period++) {
      const likeness = this.#likeness(period, 1);
      if (likeness <= bestLikeness) continue;
      bestLikeness = likeness;
      best = period;
    }
    return best;
  }

  /** Normalized cross-correlation of the end with the signal `period` before it. */
  #likeness(period: number, step: number): number {
    const samples = this.#samples;
    let product = 0;
    let energy = 0;
    for (let i = historySamples - compared; i < historySamples; i += step) {
      const before = samples[i - period] as number;
      product += (samples[i] as number) * before;
      energy += before * before;
    }
    return product / Math.sqrt(energy + 1);
  }

  /** Cross-fades the end of a period to its beginning, so that it can be repeated without a seam. */
  #smoothSeam(): void {
    const seam = this.#period >> 2;
    const samples = this.#samples;
    for (let i = 0; i < seam; i++) {
      const weight = (i + 1) / seam;
      const at = historySamples - seam + i;
      samples[at] = Math.round(
        (samples[at] as number) * (1 - weight) + (samples[at - this.#period] as number) * weight,
      );
    }
  }

  #next(): number {
    const sample = this.#samples[historySamples - this.#period + (this.#position % this.#period)] as number;
    const fade = Math.max(0, 1 - Math.max(0, this.#position - fullSamples) * fadePerSample);
    this.#position += 1;
    return Math.round(sample * fade);
  }

  #fadeIn(frame: Uint8Array): Uint8Array {
    const samples = decodeG711(this.#encoding, frame, this.#decoded);
    const seam = Math.min(maxSeam, (this.#period >> 2) + this.#concealed * 32);
    for (let i = 0; i < seam; i++) {
      const weight = (i + 1) / (seam + 1);
      samples[i] = Math.round((samples[i] as number) * weight + this.#next() * (1 - weight));
    }
    return encodeG711(this.#encoding, samples, this.#codes);
  }
}

import { decodeG711, encodeG711, type G711Encoding } from '../codec/g711.ts';

const frameSamples = 160;
/** Whole frames that cover what the search for the pitch looks back at: 48.75 ms. */
const historyFrames = 3;
const historySamples = historyFrames * frameSamples;
/** From 200 Hz, the highest voices' pitch here, down to 66 Hz. */
const minPeriod = 40;
const maxPeriod = 120;
/** How much of the end is compared with what was one period before. */
const compared = 160;
/** The seams are faded over a quarter of a period, which is never longer than this. */
const maxSeam = maxPeriod / 4;
/** As long as speech can be guessed on: then it has faded away. */
const maxConcealedFrames = 3;
const fadePerSample = 1 / (maxConcealedFrames * frameSamples - frameSamples / 2);
/** Full loudness for the first half frame. */
const fullSamples = frameSamples / 2;

/**
 * Fills in for frames that are lost: the last period of the voice is repeated and fades away within 60 ms; what comes
 * afterwards fades in over it. Unlike in the recommendation nothing waits for a loss that may come: frames that come in
 * order pass through at once.
 * @see ITU-T G.711 Appendix I
 */
export class Concealment {
  readonly #encoding: G711Encoding;
  /** The codes of the last frames, the oldest first, in a ring of frames. */
  readonly #history = new Uint8Array(historySamples);
  #at = 0;
  readonly #samples = new Int16Array(historySamples);
  readonly #ordered = new Uint8Array(historySamples);
  readonly #decoded = new Int16Array(frameSamples);
  readonly #codes = new Uint8Array(frameSamples);
  #period = 0;
  /** How many frames have been filled in, one after the other. */
  #concealed = 0;
  /** Samples since the loss began. */
  #position = 0;

  constructor(encoding: G711Encoding) {
    this.#encoding = encoding;
    this.reset();
  }

  /** A frame that came: to be passed on as it is returned, which after a loss is not what came. */
  received(frame: Uint8Array): Uint8Array {
    const joined = this.#concealed > 0 ? this.#fadeIn(frame) : frame;
    this.#concealed = 0;
    this.#remember(joined);
    return joined;
  }

  /** The frame in the place of one that is lost, good until the next call; null when there is nothing left to guess. */
  lost(): Uint8Array | null {
    if (this.#concealed >= maxConcealedFrames) return null;
    if (this.#concealed === 0) this.#begin();
    this.#concealed += 1;
    for (let i = 0; i < frameSamples; i++) this.#decoded[i] = this.#next();
    return encodeG711(this.#encoding, this.#decoded, this.#codes);
  }

  /** Another source: its voice has nothing to do with what was heard before. */
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

  /** The distance at which what was heard last is most like what was before: first in steps of two, then exactly. */
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

  /** Normalized cross-correlation of the end with what was `period` before it. */
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

  /** The end of a period leads over to its beginning: what follows it here once came before it. */
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

import { type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import { decodeSamples, encodeSamples } from '../codec/leg-samples.ts';

/** Number of frames kept. The pitch search uses the last 20 ms and up to 15 ms before them. */
const historyFrames = 3;
/** Periods at 8 kHz: from 200 Hz, the highest pitch considered, down to 66 Hz. */
const minPeriod = 40;
const maxPeriod = 120;
/**
 * Maximum cross-fade, in samples at 8 kHz: a quarter of the longest period. The cross-fade to the next received frame
 * takes a quarter of the period and `seamPerFrame` for each lost frame, within this maximum.
 */
const maxSeam = maxPeriod / 4;
const seamPerFrame = 32;
/** Maximum time of extrapolated speech, after which it has faded out. Full loudness for the first half frame. */
const maxConcealedFrames = 3;

/**
 * Conceals lost frames: repeats the last pitch period, faded out within 60 ms, and cross-fades to the next received
 * frame. Unlike in the recommendation, frames in order pass without delay.
 * @see ITU-T G.711 Appendix I
 */
export class Concealment {
  readonly #encoding: LegEncoding;
  readonly #frameSamples: number;
  readonly #frameBytes: number;
  /** Multiple of 8 kHz. */
  readonly #scale: number;
  readonly #fadePerSample: number;
  /** The last frames, oldest first, in a ring. */
  readonly #history: Uint8Array;
  #at = 0;
  readonly #samples: Int16Array;
  readonly #ordered: Uint8Array;
  readonly #decoded: Int16Array;
  readonly #frame: Uint8Array;
  #period = 0;
  /** Number of consecutive concealed frames. */
  #concealed = 0;
  /** Samples since the start of the loss. */
  #position = 0;

  constructor(encoding: LegEncoding) {
    const { frameSamples, frameBytes } = legAudio[encoding];
    this.#encoding = encoding;
    this.#frameSamples = frameSamples;
    this.#frameBytes = frameBytes;
    this.#scale = frameSamples / legAudio.pcmu.frameSamples;
    this.#fadePerSample = 1 / (maxConcealedFrames * frameSamples - frameSamples / 2);
    this.#history = new Uint8Array(historyFrames * frameBytes);
    this.#samples = new Int16Array(historyFrames * frameSamples);
    this.#ordered = new Uint8Array(historyFrames * frameBytes);
    this.#decoded = new Int16Array(frameSamples);
    this.#frame = new Uint8Array(frameBytes);
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
    for (let i = 0; i < this.#frameSamples; i++) this.#decoded[i] = this.#next();
    return encodeSamples(this.#encoding, this.#decoded, this.#frame);
  }

  /** Forgets the history after a change of the source. */
  reset(): void {
    this.#history.fill(encodeSamples(this.#encoding, Int16Array.of(0))[0] as number);
    this.#at = 0;
    this.#concealed = 0;
  }

  #remember(frame: Uint8Array): void {
    this.#history.set(frame, this.#at);
    this.#at = (this.#at + this.#frameBytes) % this.#history.length;
  }

  #begin(): void {
    this.#ordered.set(this.#history.subarray(this.#at), 0);
    this.#ordered.set(this.#history.subarray(0, this.#at), this.#history.length - this.#at);
    decodeSamples(this.#encoding, this.#ordered, this.#samples);
    this.#period = this.#findPeriod();
    this.#position = 0;
    this.#smoothSeam();
  }

  /** Returns the lag with the highest correlation: searched in steps of two at 8 kHz, then refined. */
  #findPeriod(): number {
    const shortest = minPeriod * this.#scale;
    const longest = maxPeriod * this.#scale;
    const coarseStep = 2 * this.#scale;
    let best = shortest;
    let bestLikeness = Number.NEGATIVE_INFINITY;
    for (let period = shortest; period <= longest; period += coarseStep) {
      const likeness = this.#likeness(period, coarseStep);
      if (likeness <= bestLikeness) continue;
      bestLikeness = likeness;
      best = period;
    }
    const coarse = best;
    bestLikeness = Number.NEGATIVE_INFINITY;
    const last = Math.min(longest, coarse + coarseStep - 1);
    for (let period = Math.max(shortest, coarse - coarseStep + 1); period <= last; period++) {
      const likeness = this.#likeness(period, 1);
      if (likeness <= bestLikeness) continue;
      bestLikeness = likeness;
      best = period;
    }
    return best;
  }

  /** Normalized cross-correlation of the last 20 ms with the signal `period` before them. */
  #likeness(period: number, step: number): number {
    const samples = this.#samples;
    let product = 0;
    let energy = 0;
    for (let i = samples.length - this.#frameSamples; i < samples.length; i += step) {
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
      const at = samples.length - seam + i;
      samples[at] = Math.round(
        (samples[at] as number) * (1 - weight) + (samples[at - this.#period] as number) * weight,
      );
    }
  }

  #next(): number {
    const samples = this.#samples;
    const sample = samples[samples.length - this.#period + (this.#position % this.#period)] as number;
    const fade = Math.max(0, 1 - Math.max(0, this.#position - this.#frameSamples / 2) * this.#fadePerSample);
    this.#position += 1;
    return Math.round(sample * fade);
  }

  #fadeIn(frame: Uint8Array): Uint8Array {
    const samples = decodeSamples(this.#encoding, frame, this.#decoded);
    const seam = Math.min(maxSeam * this.#scale, (this.#period >> 2) + this.#concealed * seamPerFrame * this.#scale);
    for (let i = 0; i < seam; i++) {
      const weight = (i + 1) / (seam + 1);
      samples[i] = Math.round((samples[i] as number) * weight + this.#next() * (1 - weight));
    }
    return encodeSamples(this.#encoding, samples, this.#frame);
  }
}

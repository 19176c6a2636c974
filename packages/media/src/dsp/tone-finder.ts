import { Spectrum } from './spectrum.ts';

const sampleRateHz = 8_000;
const windowSamples = 256;
const binHz = sampleRateHz / windowSamples;
/** Lower frequencies are ignored, because of hum. */
const lowestBin = Math.ceil(100 / binHz);
const lowestHz = 390;
const highestHz = 2_020;
const firstBin = Math.floor(lowestHz / binHz);
const lastBin = Math.ceil(highestHz / binHz);
/** Bins to each side over which the window spreads a tone. */
const spreadBins = 2;
/** Minimum share of the tones in the total power: 9.5 dB above the rest. */
const minShare = 0.9;
/** A second tone weaker than this, relative to the first, is ignored. */
const minSecond = 0.05;
/** Root mean square below which nothing is searched: −52 dBFS. */
const minLevel = 80;
/** A steady tone has the same level in each quarter of the window; beats and swells do not. */
const minFlatness = 0.6;
const quarterSamples = windowSamples / 4;

/**
 * Finds one or two pure tones of 400 to 2,000 Hz in the last 32 ms. The fields hold the result until the next `look`;
 * nothing is allocated per frame.
 */
export class ToneFinder {
  /** Number of tones: 0, 1 or 2. */
  tones: 0 | 1 | 2 = 0;
  /** Frequency of the tone in Hz; the lower one of two. */
  lowHz = 0;
  /** Frequency of the higher tone in Hz; equal to `lowHz` if there is only one tone. */
  highHz = 0;
  /** Root mean square of the samples. */
  level = 0;
  readonly #spectrum = new Spectrum(windowSamples);
  readonly #ring = new Float64Array(windowSamples);
  readonly #quarters = new Float64Array(4);
  #at = 0;

  add(sample: number): void {
    this.#ring[this.#at] = sample;
    this.#at = (this.#at + 1) & (windowSamples - 1);
  }

  look(): void {
    this.tones = 0;
    this.#measureLevel();
    if (this.level < minLevel) return;
    this.#spectrum.analyze(this.#ring, this.#at);
    const { power } = this.#spectrum;
    let total = 0;
    for (let bin = lowestBin; bin < power.length; bin++) total += power[bin] as number;
    const first = this.#peak(-1);
    const firstPower = this.#powerAround(first);
    if (firstPower >= minShare * total) {
      if (this.#flatness() >= minFlatness) this.#found(1, first, first);
      return;
    }
    const second = this.#peak(first);
    const secondPower = this.#powerAround(second);
    if (firstPower + secondPower < minShare * total || secondPower < minSecond * firstPower) return;
    this.#found(2, Math.min(first, second), Math.max(first, second));
  }

  /**
   * Sets the result, unless a frequency is outside the range: a peak at the edge may be the flank of a tone beyond it.
   */
  #found(tones: 1 | 2, lowBin: number, highBin: number): void {
    this.lowHz = this.#frequency(lowBin);
    this.highHz = this.#frequency(highBin);
    if (this.lowHz >= lowestHz && this.highHz <= highestHz) this.tones = tones;
  }

  #measureLevel(): void {
    let whole = 0;
    for (let quarter = 0; quarter < 4; quarter++) {
      let sum = 0;
      for (let i = 0; i < quarterSamples; i++) {
        const sample = this.#ring[(this.#at + quarter * quarterSamples + i) & (windowSamples - 1)] as number;
        sum += sample * sample;
      }
      this.#quarters[quarter] = sum;
      whole += sum;
    }
    this.level = Math.sqrt(whole / windowSamples);
  }

  #flatness(): number {
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (let quarter = 0; quarter < 4; quarter++) {
      least = Math.min(least, this.#quarters[quarter] as number);
      most = Math.max(most, this.#quarters[quarter] as number);
    }
    return least / most;
  }

  /** Returns the strongest bin that does not belong to the tone at `except`. */
  #peak(except: number): number {
    const { power } = this.#spectrum;
    let best = -1;
    for (let bin = firstBin; bin <= lastBin; bin++) {
      if (except >= 0 && Math.abs(bin - except) <= spreadBins) continue;
      if (best === -1 || (power[bin] as number) > (power[best] as number)) best = bin;
    }
    return best;
  }

  #powerAround(peak: number): number {
    const { power } = this.#spectrum;
    let sum = 0;
    for (let bin = peak - spreadBins; bin <= peak + spreadBins; bin++) sum += power[bin] as number;
    return sum;
  }

  /** Interpolates the position between bins from the stronger neighbour: exact for a tone in a Hann window. */
  #frequency(peak: number): number {
    const { power } = this.#spectrum;
    const below = power[peak - 1] as number;
    const at = power[peak] as number;
    const above = power[peak + 1] as number;
    const side = above > below ? 1 : -1;
    const ratio = Math.sqrt(Math.max(above, below) / at);
    return (peak + (side * (2 * ratio - 1)) / (ratio + 1)) * binHz;
  }
}

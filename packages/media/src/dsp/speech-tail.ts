import { sampleRateHz } from '../codec/frame.ts';

/**
 * The end of a stretch of speech: its pitch, level and length. Computed once per pause, from the samples that the
 * detector has heard.
 */
export interface SpeechTail {
  /**
   * Pitch of the last voiced part relative to the speech before it, in semitones: negative for a fall. Null if too
   * little of the speech is voiced.
   */
  readonly pitchChangeSt: number | null;
  /** Level of the last voiced part relative to the speech before it, in dB: negative for a fade. */
  readonly levelChangeDb: number;
  /** Duration of the last voiced part, in milliseconds: long if the last syllable is drawn out. */
  readonly lastVoicedMs: number;
}

/** Analysed time before the end of speech. */
const analysedMs = 700;
/** The samples after the end of speech are kept too, because the end is known later. */
const keptMs = 1_200;
/** Part of the voiced speech that counts as its end. */
const endingMs = 120;
const minVoicedMs = 200;

/** Pitch is measured at half the sample rate, which is enough below 400 Hz and takes a quarter of the time. */
const pitchRateHz = sampleRateHz / 2;
const windowSamples = pitchRateHz / 25;
const hopMs = 20;
const hopSamples = (pitchRateHz * hopMs) / 1_000;
const shortestLag = Math.floor(pitchRateHz / 400);
const longestLag = Math.ceil(pitchRateHz / 60);
/** Normalized correlation from which a window is voiced. */
const voicedCorrelation = 0.55;
/** Windows that are softer than the loudest one by more than this, in dB, are not speech. */
const audibleRangeDb = 30;

interface Window {
  readonly levelDb: number;
  /** Pitch in semitones above 1 Hz; null if the window is not voiced, or too soft to be speech. */
  readonly pitchSt: number | null;
}

/** Keeps the last 1.2 s of a call's audio, and analyses the end of a stretch of speech in it. */
export class SpeechTailMeter {
  readonly #samples = new Int16Array((keptMs * sampleRateHz) / 1_000);
  #at = 0;
  #filled = 0;

  push(samples: Int16Array): void {
    const kept = this.#samples;
    const taken = samples.length > kept.length ? samples.subarray(-kept.length) : samples;
    const untilEnd = kept.length - this.#at;
    if (taken.length < untilEnd) {
      kept.set(taken, this.#at);
      this.#at += taken.length;
    } else {
      kept.set(taken.subarray(0, untilEnd), this.#at);
      kept.set(taken.subarray(untilEnd), 0);
      this.#at = taken.length - untilEnd;
    }
    this.#filled = Math.min(kept.length, this.#filled + taken.length);
  }

  /** Analyses speech that ended `silentMs` ago; later parts of the audio are ignored. */
  measure(silentMs: number): SpeechTail {
    const windows = this.#windows(Math.round((silentMs * sampleRateHz) / 1_000));
    const voiced = windows.map(({ pitchSt }) => pitchSt !== null);
    const end = voiced.lastIndexOf(true) + 1;
    const start = end === 0 ? 0 : voiced.lastIndexOf(false, end - 1) + 1;
    const isEnding = (i: number): boolean => i >= end - endingMs / hopMs;
    const ending = windows.filter((_, i) => voiced[i] === true && isEnding(i));
    const before = windows.filter((_, i) => voiced[i] === true && !isEnding(i));
    const isMeasurable = ending.length > 0 && before.length * hopMs >= minVoicedMs;
    return {
      pitchChangeSt: isMeasurable ? median(ending.map(semitonesOf)) - median(before.map(semitonesOf)) : null,
      levelChangeDb: isMeasurable ? mean(ending.map(levelOf)) - mean(before.map(levelOf)) : 0,
      lastVoicedMs: (end - start) * hopMs,
    };
  }

  /** Returns the windows of the analysed time, at half the sample rate. */
  #windows(skipped: number): Window[] {
    const available = this.#filled - skipped;
    const count = Math.floor(Math.min(available, (analysedMs * sampleRateHz) / 1_000) / 2);
    if (count < windowSamples) return [];
    const kept = this.#samples;
    const halved = scratch.subarray(0, count);
    let from = (this.#at - skipped - 2 * count + 2 * kept.length) % kept.length;
    for (let i = 0; i < count; i++) {
      const a = kept[from] as number;
      from = from + 1 === kept.length ? 0 : from + 1;
      halved[i] = (a + (kept[from] as number)) / 2;
      from = from + 1 === kept.length ? 0 : from + 1;
    }
    removeOffset(halved);
    return windowsOf(halved);
  }
}

/** Samples of the analysed time, shared by all calls of the thread. Doubles, which need no conversion. */
const scratch = new Float64Array((analysedMs * pitchRateHz) / 1_000);

/** High-pass filter with a corner of 13 Hz: a constant offset would correlate with itself at every lag. */
function removeOffset(samples: Float64Array): void {
  let before = samples[0] ?? 0;
  let filtered = 0;
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i] as number;
    filtered = sample - before + 0.98 * filtered;
    before = sample;
    samples[i] = filtered;
  }
}

/** Returns the windows of samples at half the rate. */
function windowsOf(samples: Float64Array): Window[] {
  const energyUntil = new Float64Array(samples.length + 1);
  for (let i = 0; i < samples.length; i++) {
    energyUntil[i + 1] = (energyUntil[i] as number) + (samples[i] as number) ** 2;
  }
  // Rounding errors can make the difference of two sums negative.
  const energyFrom = (at: number): number =>
    Math.max(0, (energyUntil[at + windowSamples] as number) - (energyUntil[at] as number));
  const count = Math.floor((samples.length - windowSamples) / hopSamples) + 1;
  const energies = Array.from({ length: count }, (_, n) => energyFrom(n * hopSamples));
  const softest = Math.max(...energies) * 10 ** (-audibleRangeDb / 10);
  // A window is two hops long: each hop is part of two windows.
  const hops: Float64Array[] = [];
  const correlationsOf = (n: number): Float64Array => (hops[n] ??= correlations(samples, n * hopSamples));
  return energies.map((energy, n) => ({
    levelDb: 10 * Math.log10(energy / windowSamples + 1e-9),
    // The first window has no samples before it to correlate with.
    pitchSt:
      n > 0 && energy > softest
        ? pitchOf(correlationsOf(n), correlationsOf(n + 1), (lag) => {
            const shifted = energyFrom(n * hopSamples - lag);
            return Math.sqrt(energy * Math.max(shifted, 1));
          })
        : null,
  }));
}

/**
 * Number of lags whose correlations are computed together. The longest lag is shorter than a hop, also when the number
 * of lags is rounded up to a multiple of this.
 */
const lagsAtOnce = 4;
const lagCount = Math.ceil((longestLag + 1 - shortestLag) / lagsAtOnce) * lagsAtOnce;

/** Returns the inner products of a hop with the samples before it, from the shortest lag on. */
function correlations(samples: Float64Array, at: number): Float64Array {
  const products = new Float64Array(lagCount);
  for (let n = 0; n < lagCount; n += lagsAtOnce) {
    const lag = shortestLag + n;
    let earliest = samples[at - lag - 3] as number;
    let earlier = samples[at - lag - 2] as number;
    let early = samples[at - lag - 1] as number;
    let sum0 = 0;
    let sum1 = 0;
    let sum2 = 0;
    let sum3 = 0;
    for (let i = at; i < at + hopSamples; i++) {
      const sample = samples[i] as number;
      const shifted = samples[i - lag] as number;
      sum0 += sample * shifted;
      sum1 += sample * early;
      sum2 += sample * earlier;
      sum3 += sample * earliest;
      earliest = earlier;
      earlier = early;
      early = shifted;
    }
    products[n] = sum0;
    products[n + 1] = sum1;
    products[n + 2] = sum2;
    products[n + 3] = sum3;
  }
  return products;
}

/**
 * Finds the pitch of a window by normalized autocorrelation with the samples before it; null if it is not voiced.
 * @param first correlations of the first hop of the window, from the shortest lag on
 * @param normOf returns the divisor that normalizes the correlation at a lag: windows of the same shape then have 1
 */
function pitchOf(first: Float64Array, second: Float64Array, normOf: (lag: number) => number): number | null {
  let bestLag = 0;
  let best = voicedCorrelation;
  for (let lag = shortestLag; lag <= longestLag; lag++) {
    const sum = (first[lag - shortestLag] as number) + (second[lag - shortestLag] as number);
    // Correlations of less than one step of a 16-bit sample are rounding errors.
    if (sum <= windowSamples) continue;
    const correlation = sum / normOf(lag);
    // A multiple of the period correlates as well as the period: a longer lag must be clearly better.
    if (correlation <= best + (bestLag === 0 ? 0 : 0.05)) continue;
    best = correlation;
    bestLag = lag;
  }
  return bestLag === 0 ? null : 12 * Math.log2(pitchRateHz / bestLag);
}

const semitonesOf = ({ pitchSt }: Window): number => pitchSt ?? 0;
const levelOf = ({ levelDb }: Window): number => levelDb;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

import { sampleRateHz } from '../codec/frame.ts';

/** How a stretch of speech ends. Computed once per pause, from the samples that the detector has heard. */
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
  /** In semitones above 1 Hz; null if the window is not voiced, or too soft to be speech. */
  readonly pitchSt: number | null;
}

/** The last second of a call's audio, from which the end of a stretch of speech is analysed. */
export class SpeechTailMeter {
  readonly #samples = new Int16Array((keptMs * sampleRateHz) / 1_000);
  #at = 0;
  #filled = 0;

  push(samples: Int16Array): void {
    for (let i = 0; i < samples.length; i++) {
      this.#samples[this.#at] = samples[i] as number;
      this.#at = this.#at + 1 === this.#samples.length ? 0 : this.#at + 1;
    }
    this.#filled = Math.min(this.#samples.length, this.#filled + samples.length);
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
      pitchChangeSt: isMeasurable ? median(ending.map(pitchOf)) - median(before.map(pitchOf)) : null,
      levelChangeDb: isMeasurable ? mean(ending.map(levelOf)) - mean(before.map(levelOf)) : 0,
      lastVoicedMs: (end - start) * hopMs,
    };
  }

  /** Returns the windows of the analysed time, at half the sample rate. */
  #windows(skipped: number): Window[] {
    const available = this.#filled - skipped;
    const count = Math.floor(Math.min(available, (analysedMs * sampleRateHz) / 1_000) / 2);
    if (count < windowSamples) return [];
    const length = this.#samples.length;
    const first = this.#at - skipped - 2 * count + 2 * length;
    const halved = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      const a = this.#samples[(first + 2 * i) % length] as number;
      const b = this.#samples[(first + 2 * i + 1) % length] as number;
      halved[i] = (a + b) / 2;
    }
    removeOffset(halved);
    const energies: number[] = [];
    for (let at = 0; at + windowSamples <= count; at += hopSamples) energies.push(energyOf(halved, at));
    const softest = Math.max(...energies) * 10 ** (-audibleRangeDb / 10);
    return energies.map((energy, i) => ({
      levelDb: 10 * Math.log10(energy / windowSamples + 1e-9),
      pitchSt: energy > softest ? pitchAt(halved, i * hopSamples, energy) : null,
    }));
  }
}

/** High-pass filter with a corner of 13 Hz: a constant offset would correlate with itself at every lag. */
function removeOffset(samples: Float32Array): void {
  let before = samples[0] ?? 0;
  let filtered = 0;
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i] as number;
    filtered = sample - before + 0.98 * filtered;
    before = sample;
    samples[i] = filtered;
  }
}

function energyOf(samples: Float32Array, at: number): number {
  let energy = 0;
  for (let i = at; i < at + windowSamples; i++) energy += (samples[i] as number) ** 2;
  return energy;
}

/** Finds the pitch of a window by normalized autocorrelation with the samples before it; null if it is not voiced. */
function pitchAt(samples: Float32Array, at: number, energy: number): number | null {
  let bestLag = 0;
  let best = voicedCorrelation;
  let shifted = energy;
  for (let lag = 1; lag <= Math.min(longestLag, at); lag++) {
    shifted += (samples[at - lag] as number) ** 2 - (samples[at - lag + windowSamples] as number) ** 2;
    if (lag < shortestLag) continue;
    let sum = 0;
    for (let i = at; i < at + windowSamples; i++) sum += (samples[i] as number) * (samples[i - lag] as number);
    // Correlations of less than one step of a 16-bit sample are rounding errors.
    if (sum <= windowSamples) continue;
    const correlation = sum / Math.sqrt(energy * Math.max(shifted, 1));
    // A multiple of the period correlates as well as the period: a longer lag must be clearly better.
    if (correlation <= best + (bestLag === 0 ? 0 : 0.05)) continue;
    best = correlation;
    bestLag = lag;
  }
  return bestLag === 0 ? null : 12 * Math.log2(pitchRateHz / bestLag);
}

const pitchOf = ({ pitchSt }: Window): number => pitchSt ?? 0;
const levelOf = ({ levelDb }: Window): number => levelDb;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

import { ToneFinder } from './tone-finder.ts';

/** Step of the analysis: 20 ms at 8 kHz. */
const stepSamples = 160;
const stepMs = 20;
/** Minimum number of steps of a tone: any 120 ms contain at least four 32 ms windows taken every 20 ms. */
const minSteps = 4;
/** A longer tone is a line tone, such as a dial tone. */
const maxSteps = 5_000 / stepMs;
/** Number of steps without a tone after which no second tone follows. */
const settleSteps = 3;
/** A beep may change its pitch once. More notes are a melody or the signal of an unavailable number. */
const maxSegments = 2;
/** Maximum deviation of a step from the tone, in Hz and as a share of the frequency. */
const toleranceHz = 3;
const toleranceShare = 0.004;
/** Maximum ratio of the levels of consecutive steps. */
const maxLevelRatio = 1.5;

/** Tones of exchanges and telephones, in Hz. @see ITU-T E.180 supplement 2, Q.23 */
const ringbackHz = 425;
const progressPairsHz = [350, 440, 440, 480, 480, 620, 400, 450];
const dtmfRowsHz = [697, 770, 852, 941];
const dtmfColumnsHz = [1_209, 1_336, 1_477, 1_633];
const progressToleranceHz = 13;
const dtmfToleranceShare = 0.025;

/**
 * Detects the beep of an answering machine: one steady tone, or two at once or in sequence, of 400 to 2,000 Hz and at
 * least 120 ms, that is neither speech nor music nor a signal of the telephone network (ringback, busy, DTMF). Takes 8
 * kHz samples, about 10 μs per frame, without allocations.
 */
export class BeepDetector {
  readonly #finder = new ToneFinder();
  #filled = 0;
  // The current tone.
  #tones = 0;
  #lowHz = 0;
  #highHz = 0;
  #level = 0;
  #steps = 0;
  // The tones since the last pause.
  #segments = 0;
  #isSignal = false;
  #quietSteps = 0;

  /** Takes any number of samples, preferably 20 ms. Returns true once per beep, 60 ms after its end. */
  push(samples: Int16Array): boolean {
    let heard = false;
    for (let i = 0; i < samples.length; i++) {
      this.#finder.add(samples[i] as number);
      this.#filled += 1;
      if (this.#filled < stepSamples) continue;
      this.#filled = 0;
      this.#finder.look();
      if (this.#step()) heard = true;
    }
    return heard;
  }

  #step(): boolean {
    const { tones, lowHz, highHz, level } = this.#finder;
    if (this.#goesOn()) {
      // The mean of the tone so far, so that a glide deviates from it.
      this.#lowHz += (lowHz - this.#lowHz) / (this.#steps + 1);
      this.#highHz += (highHz - this.#highHz) / (this.#steps + 1);
      this.#steps += 1;
    } else {
      this.#endSegment();
      this.#tones = tones;
      this.#lowHz = lowHz;
      this.#highHz = highHz;
      this.#steps = tones === 0 ? 0 : 1;
    }
    this.#level = level;
    this.#quietSteps = tones === 0 ? this.#quietSteps + 1 : 0;
    return this.#segments > 0 && this.#quietSteps === settleSteps && this.#conclude();
  }

  #goesOn(): boolean {
    const { tones, lowHz, highHz, level } = this.#finder;
    return (
      tones !== 0 &&
      tones === this.#tones &&
      isNear(lowHz, this.#lowHz) &&
      isNear(highHz, this.#highHz) &&
      level < this.#level * maxLevelRatio &&
      level * maxLevelRatio > this.#level
    );
  }

  #endSegment(): void {
    if (this.#steps < minSteps) return;
    this.#segments += 1;
    if (this.#steps > maxSteps || isNetworkSignal(this.#tones, this.#lowHz, this.#highHz)) this.#isSignal = true;
  }

  #conclude(): boolean {
    const isBeep = this.#segments <= maxSegments && !this.#isSignal;
    this.#segments = 0;
    this.#isSignal = false;
    return isBeep;
  }
}

function isNear(hz: number, expectedHz: number): boolean {
  return Math.abs(hz - expectedHz) <= Math.max(toleranceHz, expectedHz * toleranceShare);
}

function isNetworkSignal(tones: number, lowHz: number, highHz: number): boolean {
  if (tones === 1) return isProgress(lowHz, ringbackHz);
  for (let i = 0; i < progressPairsHz.length; i += 2) {
    if (isProgress(lowHz, progressPairsHz[i] as number) && isProgress(highHz, progressPairsHz[i + 1] as number))
      return true;
  }
  return isDtmf(lowHz, dtmfRowsHz) && isDtmf(highHz, dtmfColumnsHz);
}

function isProgress(hz: number, expectedHz: number): boolean {
  return Math.abs(hz - expectedHz) <= progressToleranceHz;
}

function isDtmf(hz: number, groupHz: readonly number[]): boolean {
  return groupHz.some((expected) => Math.abs(hz - expected) <= expected * dtmfToleranceShare);
}

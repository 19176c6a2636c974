import type { DtmfDigit } from '../dsp/dtmf-digit.ts';

const sampleRateHz = 8_000;
/** 12.75 ms: short enough for tones of 40 ms, long enough to separate the frequencies. */
const blockSamples = 102;
const blockMs = (blockSamples / sampleRateHz) * 1_000;
const rows = [697, 770, 852, 941];
const columns = [1_209, 1_336, 1_477, 1_633];
const keypad = '123A456B789C*0#D';

/** Minimum share of the two tones in the total power; speech has power elsewhere too. */
const minShare = 0.7;
/** Minimum ratio of the strongest tone of a group to its others: 8 dB. */
const minPeak = 6.3;
/**
 * A column tone more than 4 dB above its row tone, or a row tone more than 8 dB above its column tone, is a voice. @see
 * ITU-T Q.24 table A-1
 */
const maxColumnTwist = 2.5;
const maxRowTwist = 6.3;
/** Root mean square below which blocks are ignored: about −44 dBm0. */
const minLevel = 150;
/**
 * Number of consecutive blocks that start a digit, and of blocks without it that end it, so that a click does not split
 * one.
 */
const blocksToBegin = 2;
const blocksToEnd = 2;

/**
 * Measures the power of one frequency in a block. @see Goertzel, "An Algorithm for the Evaluation of Finite
 * Trigonometric Series"
 */
class Goertzel {
  readonly #coefficient: number;
  #one = 0;
  #two = 0;

  constructor(hertz: number) {
    this.#coefficient = 2 * Math.cos((2 * Math.PI * hertz) / sampleRateHz);
  }

  add(sample: number): void {
    const next = this.#coefficient * this.#one - this.#two + sample;
    this.#two = this.#one;
    this.#one = next;
  }

  take(): number {
    const power = this.#one * this.#one + this.#two * this.#two - this.#coefficient * this.#one * this.#two;
    this.#one = 0;
    this.#two = 0;
    return power;
  }
}

/**
 * Detects in-band DTMF, for far ends without telephone events. To reject voices, a digit needs one pure tone of each
 * group at similar levels.
 * @see ITU-T Q.23, Q.24
 */
export class DtmfDetector {
  readonly #listener: (digit: DtmfDigit) => void;
  readonly #rows = rows.map((hertz) => new Goertzel(hertz));
  readonly #columns = columns.map((hertz) => new Goertzel(hertz));
  readonly #powers = new Float64Array(rows.length);
  #filled = 0;
  #energy = 0;
  /** Digit of the last block (empty if there was none), and its number of consecutive blocks. */
  #candidate = '';
  #repeated = 0;
  /** The digit that is pressed now; empty if there is none. */
  #digit = '';
  #blocks = 0;
  #missing = 0;

  constructor(listener: (digit: DtmfDigit) => void) {
    this.#listener = listener;
  }

  /** Takes 8 kHz audio in chunks of any length. Reports a digit when it is released. */
  push(samples: Int16Array): void {
    for (let i = 0; i < samples.length; i++) {
      const sample = samples[i] as number;
      this.#energy += sample * sample;
      for (const filter of this.#rows) filter.add(sample);
      for (const filter of this.#columns) filter.add(sample);
      this.#filled += 1;
      if (this.#filled === blockSamples) this.#judge();
    }
  }

  #judge(): void {
    const energy = this.#energy;
    const row = this.#strongest(this.#rows);
    const rowPower = this.#powers[row] as number;
    const rowStands = this.#standsOut(row);
    const column = this.#strongest(this.#columns);
    const columnPower = this.#powers[column] as number;
    const columnStands = this.#standsOut(column);
    this.#filled = 0;
    this.#energy = 0;
    const isKey =
      energy >= minLevel * minLevel * blockSamples &&
      rowStands &&
      columnStands &&
      columnPower <= rowPower * maxColumnTwist &&
      rowPower <= columnPower * maxRowTwist &&
      rowPower + columnPower >= (minShare * energy * blockSamples) / 2;
    this.#note(isKey ? (keypad[row * columns.length + column] ?? '') : '');
  }

  #strongest(filters: readonly Goertzel[]): number {
    let best = 0;
    for (const [i, filter] of filters.entries()) {
      this.#powers[i] = filter.take();
      if ((this.#powers[i] as number) > (this.#powers[best] as number)) best = i;
    }
    return best;
  }

  #standsOut(best: number): boolean {
    const least = (this.#powers[best] as number) / minPeak;
    return this.#powers.every((power, i) => i === best || power <= least);
  }

  #note(key: string): void {
    this.#repeated = key === this.#candidate ? this.#repeated + 1 : 1;
    this.#candidate = key;
    if (this.#digit !== '') this.#watch(key);
    if (this.#digit === '' && key !== '' && this.#repeated >= blocksToBegin) {
      this.#digit = key;
      this.#blocks = this.#repeated;
      this.#missing = 0;
    }
  }

  #watch(key: string): void {
    if (key === this.#digit) {
      this.#blocks += 1 + this.#missing;
      this.#missing = 0;
      return;
    }
    this.#missing += 1;
    if (this.#missing < blocksToEnd) return;
    const ended = { digit: this.#digit, durationMs: Math.round(this.#blocks * blockMs) };
    this.#digit = '';
    this.#listener(ended);
  }
}

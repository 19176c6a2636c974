import { inverseLog } from './g722-tables.ts';

const zeros = 6;

export function clamp16(value: number): number {
  return value > 32_767 ? 32_767 : Math.max(value, -32_768);
}

/** Parameters that differ between the two bands in the adaptation of the step size. */
export interface StepRules {
  readonly start: number;
  /** Addend of the logarithmic step size, by code. */
  readonly changes: Int32Array;
  readonly max: number;
  readonly shift: number;
}

/**
 * Adaptive predictor and step size of one band, identical in encoder and decoder.
 * @see ITU-T G.722 §3.5, §3.6
 */
export class G722Band {
  readonly #rules: StepRules;
  /** Prediction of the next sample. */
  predicted = 0;
  /** Step size of the quantizer. */
  step: number;
  #zeroPart = 0;
  #logStep = 0;
  /** Last two reconstructed samples, and the coefficients of the poles. */
  #r1 = 0;
  #r2 = 0;
  #a1 = 0;
  #a2 = 0;
  /** Last two partial reconstructions. */
  #p1 = 0;
  #p2 = 0;
  /** Last six quantized differences, and the coefficients of the zeros. */
  readonly #d = new Int32Array(zeros);
  readonly #b = new Int32Array(zeros);

  constructor(rules: StepRules) {
    this.#rules = rules;
    this.step = rules.start;
  }

  /** Updates the state with a coded sample: `code` adapts the step size, `difference` the predictor. */
  adapt(code: number, difference: number): void {
    this.#adaptStep(code);
    this.#adaptPredictor(difference);
    this.#predict();
  }

  #adaptStep(code: number): void {
    const { changes, max, shift } = this.#rules;
    const log = ((this.#logStep * 127) >> 7) + (changes[code] as number);
    this.#logStep = log < 0 ? 0 : Math.min(log, max);
    const mantissa = inverseLog[(this.#logStep >> 6) & 31] as number;
    const exponent = shift - (this.#logStep >> 11);
    this.step = (exponent < 0 ? mantissa << -exponent : mantissa >> exponent) << 2;
  }

  #adaptPredictor(difference: number): void {
    const partial = clamp16(this.#zeroPart + difference);
    const sameAsLast = partial >> 15 === this.#p1 >> 15;
    const towards = clamp16(this.#a1 << 2);
    const wanted = sameAsLast ? -towards : towards;
    const sameAsBefore = partial >> 15 === this.#p2 >> 15;
    const second = (sameAsBefore ? 128 : -128) + (Math.min(wanted, 32_767) >> 7) + ((this.#a2 * 32_512) >> 15);
    this.#a2 = second > 12_288 ? 12_288 : Math.max(second, -12_288);
    const first = (sameAsLast ? 192 : -192) + ((this.#a1 * 32_640) >> 15);
    const limit = 15_360 - this.#a2;
    this.#a1 = first > limit ? limit : Math.max(first, -limit);
    this.#p2 = this.#p1;
    this.#p1 = partial;
    this.#r2 = this.#r1;
    this.#r1 = clamp16(this.predicted + difference);
    this.#adaptZeros(difference);
  }

  #adaptZeros(difference: number): void {
    const d = this.#d;
    const b = this.#b;
    const change = difference === 0 ? 0 : 128;
    const sign = difference >> 15;
    for (let i = zeros - 1; i >= 0; i--) {
      const past = d[i] as number;
      b[i] = clamp16((past >> 15 === sign ? change : -change) + (((b[i] as number) * 32_640) >> 15));
      if (i < zeros - 1) d[i + 1] = past;
    }
    d[0] = difference;
  }

  #predict(): void {
    const d = this.#d;
    const b = this.#b;
    let zeroPart = 0;
    for (let i = 0; i < zeros; i++) zeroPart += ((b[i] as number) * clamp16(2 * (d[i] as number))) >> 15;
    const polePart = ((this.#a1 * clamp16(2 * this.#r1)) >> 15) + ((this.#a2 * clamp16(2 * this.#r2)) >> 15);
    this.#zeroPart = clamp16(zeroPart);
    this.predicted = clamp16(clamp16(polePart) + this.#zeroPart);
  }
}

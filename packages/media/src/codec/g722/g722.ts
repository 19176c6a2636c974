import { clamp16, G722Band, type StepRules } from './g722-band.ts';
import {
  highDecision,
  highLevels,
  highSteps,
  lowDecisions,
  lowLevels4,
  lowLevels6,
  lowSteps,
  qmfTaps,
} from './g722-tables.ts';

const low: StepRules = { start: 32, changes: lowSteps, max: 18_432, shift: 8 };
const high: StepRules = { start: 8, changes: highSteps, max: 22_528, shift: 10 };

const taps = 2 * qmfTaps.length;
/** Filter delay lines move through a longer buffer, so that they are copied once for many samples. */
const lineLength = 16 * taps;

function clamp15(value: number): number {
  return value > 16_383 ? 16_383 : Math.max(value, -16_384);
}

/** Delay line of the last 24 samples in a quadrature mirror filter, whose two halves are summed separately. */
class DelayLine {
  readonly #line = new Int32Array(lineLength);
  #end = taps;
  even = 0;
  odd = 0;

  push(first: number, second: number): void {
    if (this.#end + 2 > lineLength) {
      this.#line.copyWithin(0, this.#end - taps, this.#end);
      this.#end = taps;
    }
    this.#line[this.#end] = first;
    this.#line[this.#end + 1] = second;
    this.#end += 2;
    const start = this.#end - taps;
    let even = 0;
    let odd = 0;
    for (let i = 0; i < qmfTaps.length; i++) {
      odd += (this.#line[start + 2 * i] as number) * (qmfTaps[i] as number);
      even += (this.#line[start + 2 * i + 1] as number) * (qmfTaps[qmfTaps.length - 1 - i] as number);
    }
    this.even = even;
    this.odd = odd;
  }
}

/** Encodes wideband speech at 64 kbit/s: one byte per two samples of 16 kHz. @see ITU-T G.722, mode 1 */
export class G722Encoder {
  readonly #line = new DelayLine();
  readonly #low = new G722Band(low);
  readonly #high = new G722Band(high);

  /** @param samples at 16 kHz, an even number */
  encode(samples: Int16Array): Uint8Array {
    const codes = new Uint8Array(samples.length >> 1);
    for (let i = 0; i < codes.length; i++) {
      this.#line.push(samples[2 * i] as number, samples[2 * i + 1] as number);
      const { even, odd } = this.#line;
      const lowCode = this.#encodeLow((even + odd) >> 14);
      codes[i] = (this.#encodeHigh((even - odd) >> 14) << 6) | lowCode;
    }
    return codes;
  }

  #encodeLow(sample: number): number {
    const band = this.#low;
    const error = clamp16(sample - band.predicted);
    const magnitude = error >= 0 ? error : -(error + 1);
    let level = 1;
    while (level < 30 && magnitude >= ((lowDecisions[level] as number) * band.step) >> 12) level += 1;
    // Codes count down from 61 for a positive error; for a negative one from 63 for the two smallest, then from 31.
    const code = error >= 0 ? 62 - level : level < 3 ? 64 - level : 34 - level;
    const coarse = code >> 2;
    band.adapt(coarse, (band.step * (lowLevels4[coarse] as number)) >> 15);
    return code;
  }

  #encodeHigh(sample: number): number {
    const band = this.#high;
    const error = clamp16(sample - band.predicted);
    const magnitude = error >= 0 ? error : -(error + 1);
    const isLarge = magnitude >= (highDecision * band.step) >> 12;
    const code = error >= 0 ? (isLarge ? 2 : 3) : isLarge ? 0 : 1;
    band.adapt(code, (band.step * (highLevels[code] as number)) >> 15);
    return code;
  }
}

/** @see ITU-T G.722, mode 1 */
export class G722Decoder {
  readonly #line = new DelayLine();
  readonly #low = new G722Band(low);
  readonly #high = new G722Band(high);

  /** Returns samples of 16 kHz, two per byte. */
  decode(codes: Uint8Array): Int16Array {
    const samples = new Int16Array(2 * codes.length);
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] as number;
      const lowSample = this.#decodeLow(code & 0x3f);
      const highSample = this.#decodeHigh(code >> 6);
      this.#line.push(lowSample + highSample, lowSample - highSample);
      samples[2 * i] = clamp16(this.#line.even >> 11);
      samples[2 * i + 1] = clamp16(this.#line.odd >> 11);
    }
    return samples;
  }

  #decodeLow(code: number): number {
    const band = this.#low;
    const sample = clamp15(band.predicted + ((band.step * (lowLevels6[code] as number)) >> 15));
    const coarse = code >> 2;
    band.adapt(coarse, (band.step * (lowLevels4[coarse] as number)) >> 15);
    return sample;
  }

  #decodeHigh(code: number): number {
    const band = this.#high;
    const difference = (band.step * (highLevels[code] as number)) >> 15;
    const sample = clamp15(band.predicted + difference);
    band.adapt(code, difference);
    return sample;
  }
}

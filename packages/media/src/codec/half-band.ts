/** Pairs of taps at odd distances from the middle; those at even distances are zero. */
const pairs = 12;
const reach = 2 * pairs - 1;

/** A windowed sinc with its cutoff at a quarter of the rate: attenuates what would alias by 40 dB from 4.7 kHz on. */
const taps = Float64Array.from({ length: pairs }, (_, i) => {
  const distance = 2 * i + 1;
  const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (reach + 1));
  return (window * Math.sin((Math.PI * distance) / 2)) / (Math.PI * distance);
});
const middle = 1 - 2 * taps.reduce((sum, tap) => sum + tap, 0);

/** Halves the rate of a stream, in a seventh of the time of `createResampler`: every second tap is zero. */
export class HalfBandFilter {
  readonly #line: Int16Array;
  readonly #output: Int16Array;

  /** @param samples number of samples per call of `halve`, even */
  constructor(samples: number) {
    this.#line = new Int16Array(2 * reach + samples);
    this.#output = new Int16Array(samples / 2);
  }

  /** Returns half as many samples, valid until the next call. */
  halve(samples: Int16Array): Int16Array {
    const line = this.#line;
    const output = this.#output;
    line.copyWithin(0, samples.length);
    line.set(samples, 2 * reach);
    for (let i = 0; i < output.length; i++) {
      const at = 2 * i + reach;
      let sum = middle * (line[at] as number);
      for (let k = 0; k < pairs; k++) {
        const distance = 2 * k + 1;
        sum += (taps[k] as number) * ((line[at - distance] as number) + (line[at + distance] as number));
      }
      output[i] = sum > 32_767 ? 32_767 : sum < -32_768 ? -32_768 : Math.round(sum);
    }
    return output;
  }
}

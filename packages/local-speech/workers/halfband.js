// @ts-check
/** Resampling between 8 and 16 kHz by a half-band filter: every second tap is zero, the middle one is a half. */

/** Distance of the outermost tap from the middle, in samples at 16 kHz; odd. */
const reach = 31;

/** The taps at odd distances 1, 3, … `reach`: a sinc under a Hann window. */
const taps = Float64Array.from({ length: (reach + 1) / 2 }, (_, i) => {
  const distance = 2 * i + 1;
  const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (reach + 1));
  return (Math.sin((Math.PI * distance) / 2) / (Math.PI * distance)) * window;
});

/** @param {number} sample */
const clamp = (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample)));

/** Resamples a whole signal from 16 to 8 kHz. @param {Int16Array} samples @returns {Int16Array<ArrayBuffer>} */
export function halve(samples) {
  const padded = new Float64Array(samples.length + 2 * reach + 1);
  padded.set(samples, reach);
  const halved = new Int16Array(Math.ceil(samples.length / 2));
  for (let i = 0; i < halved.length; i++) {
    const middle = reach + 2 * i;
    let sum = padded[middle] / 2;
    for (let k = 0; k < taps.length; k++) {
      sum += taps[k] * (padded[middle - 2 * k - 1] + padded[middle + 2 * k + 1]);
    }
    halved[i] = clamp(sum);
  }
  return halved;
}

/** Resamples a stream from 8 to 16 kHz, chunk by chunk; delays it by 16 input samples. */
export class Doubler {
  constructor() {
    this.history = new Int16Array(2 * taps.length);
  }

  /** @param {Int16Array} samples @returns {Int16Array} */
  double(samples) {
    const behind = taps.length;
    const input = new Int16Array(this.history.length + samples.length);
    input.set(this.history);
    input.set(samples, this.history.length);
    const doubled = new Int16Array(samples.length * 2);
    for (let i = 0; i < samples.length; i++) {
      const at = behind + i;
      let between = 0;
      for (let k = 0; k < taps.length; k++) between += 2 * taps[k] * (input[at - k] + input[at + 1 + k]);
      doubled[2 * i] = input[at];
      doubled[2 * i + 1] = clamp(between);
    }
    this.history = input.slice(samples.length);
    return doubled;
  }
}

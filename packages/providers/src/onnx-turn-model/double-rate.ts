/** Number of neighbors on each side from which a new sample is computed. */
const halfTaps = 16;

/**
 * Half-band low-pass: a sinc in a Blackman window. Every second one of its taps at the doubled rate is zero, so that
 * the given samples are kept and only those between them are computed. Doubling the rate of 8 s takes 3 ms;
 * `createResampler` of `@va/media`, which works on any multiple of the rate, takes 10 ms.
 */
const weights = Float64Array.from({ length: halfTaps }, (_, k) => {
  const at = k + 0.5;
  const phase = (Math.PI * at) / (halfTaps + 0.5);
  const window = 0.42 + 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase);
  return (Math.sin(Math.PI * at) / (Math.PI * at)) * window;
});
const gain = 0.5 / weights.reduce((sum, weight) => sum + weight, 0);
for (const [k, weight] of weights.entries()) weights[k] = weight * gain;

/** Returns samples at twice the rate, without delay. Beyond both ends the signal is silent. */
export function doubleRate(samples: Int16Array): Float64Array {
  const padded = new Float64Array(samples.length + 2 * halfTaps);
  padded.set(samples, halfTaps);
  const doubled = new Float64Array(2 * samples.length);
  for (let i = 0; i < samples.length; i++) {
    const left = i + halfTaps;
    let sum = 0;
    for (let k = 0; k < halfTaps; k++) {
      sum += (weights[k] as number) * ((padded[left - k] as number) + (padded[left + 1 + k] as number));
    }
    doubled[2 * i] = padded[left] as number;
    doubled[2 * i + 1] = sum;
  }
  return doubled;
}

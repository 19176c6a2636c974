/** Taps per output phase: enough for 40 dB of alias attenuation in the telephone band. */
const tapsPerPhase = 24;

function lowPass(factor: number): Float32Array {
  const length = tapsPerPhase * factor + 1;
  const middle = (length - 1) / 2;
  const cutoff = 0.95 / factor;
  const taps = Float32Array.from({ length }, (_, i) => {
    const x = i - middle;
    const sinc = x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x);
    return sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / (middle + 1)));
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

/** Maximum factor of the interpolation or decimation of a ratio such as 2 : 3. */
const maxFactor = 6;

/** Converts samples to another rate, with state across chunks. */
export type Resample = (samples: Int16Array) => Int16Array;

/** @throws RangeError if the rates have no common divisor of at least a sixth of the higher one, as 16 and 44.1 kHz */
export function createResampler(fromHz: number, toHz: number): Resample {
  if (fromHz === toHz) return (samples) => samples;
  if (fromHz % toHz === 0) return decimator(fromHz / toHz);
  if (toHz % fromHz === 0) return interpolator(toHz / fromHz);
  const divisor = greatestDivisor(fromHz, toHz);
  const up = toHz / divisor;
  const down = fromHz / divisor;
  if (Math.max(up, down) > maxFactor) throw new RangeError(`Cannot resample ${fromHz} Hz to ${toHz} Hz.`);
  return rational(up, down);
}

function decimator(factor: number): Resample {
  const taps = lowPass(factor);
  let tail = new Int16Array(taps.length - 1);
  let skip = 0;
  return (samples) => {
    const joined = join(tail, samples);
    const count = Math.max(0, Math.floor((joined.length - taps.length - skip) / factor) + 1);
    const output = new Int16Array(count);
    let at = skip;
    for (let i = 0; i < count; i++, at += factor) {
      let sum = 0;
      for (let k = 0; k < taps.length; k++) sum += (joined[at + k] as number) * (taps[k] as number);
      output[i] = clamp(sum);
    }
    const kept = Math.min(at, joined.length);
    skip = at - kept;
    tail = joined.slice(kept);
    return output;
  };
}

function interpolator(factor: number): Resample {
  const taps = lowPass(factor);
  const history = Math.ceil(taps.length / factor);
  let tail = new Int16Array(history);
  return (samples) => {
    const joined = join(tail, samples);
    const output = new Int16Array(samples.length * factor);
    for (let i = 0; i < output.length; i++) {
      const newest = history + Math.floor(i / factor);
      let sum = 0;
      for (let k = i % factor, back = 0; k < taps.length; k += factor, back++) {
        sum += (joined[newest - back] ?? 0) * (taps[k] as number);
      }
      output[i] = clamp(sum * factor);
    }
    tail = joined.slice(joined.length - history);
    return output;
  };
}

/** Interpolates by `up` and decimates by `down` in one step: only the samples that remain are computed. */
function rational(up: number, down: number): Resample {
  const taps = lowPass(Math.max(up, down));
  const history = Math.ceil(taps.length / up);
  let tail = new Int16Array(history);
  /** Position of the next output sample from the first new input sample, in 1/up samples. */
  let position = 0;
  return (samples) => {
    const joined = join(tail, samples);
    const count = Math.max(0, Math.ceil((samples.length * up - position) / down));
    const output = new Int16Array(count);
    for (let i = 0; i < count; i++, position += down) {
      const newest = history + Math.floor(position / up);
      let sum = 0;
      for (let k = position % up, back = 0; k < taps.length; k += up, back++) {
        sum += (joined[newest - back] ?? 0) * (taps[k] as number);
      }
      output[i] = clamp(sum * up);
    }
    position -= samples.length * up;
    tail = joined.slice(joined.length - history);
    return output;
  };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

function join(head: Int16Array, rest: Int16Array): Int16Array {
  const joined = new Int16Array(head.length + rest.length);
  joined.set(head);
  joined.set(rest, head.length);
  return joined;
}

function clamp(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)));
}

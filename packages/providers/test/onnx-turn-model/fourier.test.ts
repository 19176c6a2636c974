import { describe, expect, it } from 'vitest';
import { FourierTransform, transformSize } from '../../src/onnx-turn-model/fourier.ts';

/** The definition of the transform. */
function direct(real: Float64Array, imaginary: Float64Array, bin: number): [number, number] {
  let sumReal = 0;
  let sumImaginary = 0;
  for (let i = 0; i < transformSize; i++) {
    const angle = (-2 * Math.PI * bin * i) / transformSize;
    const [r, j] = [real[i] as number, imaginary[i] as number];
    sumReal += r * Math.cos(angle) - j * Math.sin(angle);
    sumImaginary += r * Math.sin(angle) + j * Math.cos(angle);
  }
  return [sumReal, sumImaginary];
}

function transformed(of: (i: number) => [number, number]): { error: number; power: Float64Array } {
  const fourier = new FourierTransform();
  for (let i = 0; i < transformSize; i++) [fourier.real[i], fourier.imaginary[i]] = of(i);
  const [real, imaginary] = [fourier.real.slice(), fourier.imaginary.slice()];
  fourier.transform();
  let error = 0;
  for (let bin = 0; bin < transformSize; bin++) {
    const [r, j] = direct(real, imaginary, bin);
    error = Math.max(error, Math.abs(r - (fourier.real[bin] ?? 0)), Math.abs(j - (fourier.imaginary[bin] ?? 0)));
  }
  return { error, power: fourier.real.map((r, bin) => r * r + (fourier.imaginary[bin] ?? 0) ** 2) };
}

describe('the Fourier transform of 400 points', () => {
  it('equals the sum that defines it', () => {
    expect(transformed((i) => [Math.sin(i * i), Math.cos(3 * i + i * i)]).error).toBeLessThan(1e-10);
    expect(transformed((i) => [i === 7 ? 1 : 0, 0]).error).toBeLessThan(1e-12);
  });

  it('has the power of a tone in its bin', () => {
    const { power } = transformed((i) => [Math.cos((2 * Math.PI * 33 * i) / 400), 0]);
    expect(power[33]).toBeCloseTo(40_000, 6);
    expect(power[367]).toBeCloseTo(40_000, 6);
    expect(power.filter((value) => value > 1e-12)).toHaveLength(2);
  });

  it('gives the same result when it is used again', () => {
    const fourier = new FourierTransform();
    const run = (): Float64Array => {
      fourier.real.forEach((_, i, real) => {
        real[i] = i % 17;
      });
      fourier.imaginary.fill(0);
      fourier.transform();
      return fourier.real.slice();
    };
    expect(run()).toEqual(run());
  });
});

import { describe, expect, it } from 'vitest';
import { Spectrum } from '../../src/dsp/spectrum.ts';

/** Computes the spectrum by the definition of the discrete Fourier transform. */
function byDefinition(samples: Float64Array): number[] {
  const { length } = samples;
  return Array.from({ length: length / 2 + 1 }, (_, bin) => {
    let [real, imaginary] = [0, 0];
    for (const [i, sample] of samples.entries()) {
      const windowed = sample * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length));
      real += windowed * Math.cos((2 * Math.PI * bin * i) / length);
      imaginary -= windowed * Math.sin((2 * Math.PI * bin * i) / length);
    }
    return real * real + imaginary * imaginary;
  });
}

describe('a power spectrum', () => {
  it.each([16, 64, 256])('of %s samples matches the definition, wherever the ring buffer starts', (size) => {
    const samples = Float64Array.from({ length: size }, (_, i) => Math.sin(i * i) + Math.cos(3 * i));
    const spectrum = new Spectrum(size);
    for (const start of [0, 5, size - 1]) {
      const ring = Float64Array.from({ length: size }, (_, at) => samples[(at - start + size) % size] ?? 0);
      spectrum.analyze(ring, start);
      for (const [bin, power] of byDefinition(samples).entries()) expect(spectrum.power[bin]).toBeCloseTo(power, 6);
    }
  });
});

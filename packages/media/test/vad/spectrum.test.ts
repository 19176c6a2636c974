import { expect, it } from 'vitest';
import { MatVecKernel } from '../../src/vad/matvec-kernel.ts';

const [frames, hop, length, bins] = [4, 64, 128, 65];

/** Computes the magnitude by the definition of the transform, in double precision. */
function magnitude(samples: Float32Array, window: Float32Array, bin: number): number {
  let [re, im] = [0, 0];
  for (const [n, sample] of samples.entries()) {
    const angle = (2 * Math.PI * bin * n) / length;
    re += sample * (window[n] as number) * Math.cos(angle);
    im += sample * (window[n] as number) * Math.sin(angle);
  }
  return Math.hypot(re, im);
}

it('MatVecKernel.spectrum transforms four overlapping frames as defined', () => {
  const kernel = new MatVecKernel();
  const window = Float32Array.from({ length }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / length));
  const fourier = kernel.fourier(window);
  const samplesAt = kernel.allocate((frames - 1) * hop + length);
  const outputAt = kernel.allocate(frames * bins);
  const samples = Float32Array.from(
    { length: (frames - 1) * hop + length },
    (_, n) => 0.3 * Math.sin(n / 3) + 0.2 * Math.cos(n * n) + (n % 50 === 0 ? 0.4 : 0.05),
  );
  kernel.memory.set(samples, samplesAt);
  kernel.spectrum(fourier, samplesAt, outputAt);
  for (let frame = 0; frame < frames; frame++) {
    const heard = samples.subarray(frame * hop, frame * hop + length);
    for (let bin = 0; bin < bins; bin++) {
      const found = kernel.memory[outputAt + frame * bins + bin] as number;
      expect(Math.abs(found - magnitude(heard, window, bin)), `frame ${frame}, bin ${bin}`).toBeLessThan(1e-5);
    }
  }
});

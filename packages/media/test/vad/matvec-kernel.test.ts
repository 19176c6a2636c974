import { describe, expect, it } from 'vitest';
import { type Layer, MatVecKernel } from '../../src/vad/matvec-kernel.ts';

/** The product of a matrix and a vector, in double precision. */
function product(matrix: readonly Float32Array[], bias: readonly number[], vector: Float32Array): number[] {
  return matrix.map((row, i) => row.reduce((sum, weight, at) => sum + weight * (vector[at] ?? 0), bias[i] ?? 0));
}

function layerOf(kernel: MatVecKernel, matrix: readonly Float32Array[], bias: readonly number[]): Layer {
  const columns = matrix[0]?.length ?? 0;
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0;
  return kernel.layer(matrix.length, columns, at, (row) => bias[row] ?? 0, 'none');
}

/** Weights of sums whose terms all have the same sign: equal weights, and weights of very different size. */
const extreme = [
  { name: 'the same weights', weight: () => 1 },
  { name: 'one large weight', weight: (column: number) => (column === 7 ? 1e4 : 1e-4) },
  { name: 'tiny weights', weight: () => 1e-12 },
  { name: 'no weights', weight: () => 0 },
];

describe('the kernel of the voice activity detector', () => {
  it.each(extreme)('computes sums without overflow: $name', ({ weight }) => {
    const kernel = new MatVecKernel();
    const columns = 384;
    const matrix = [1, -1].map((sign) => Float32Array.from({ length: columns }, (_, at) => sign * weight(at)));
    const layer = layerOf(kernel, matrix, [0.5, -0.5]);
    const [input, output] = [kernel.allocate(columns), kernel.allocate(16)];
    const quantized = kernel.allocateQuantized(columns);
    for (const level of [0, 1e-42, 1e-20, 1, 3e4]) {
      const vector = new Float32Array(columns).fill(level);
      kernel.memory.set(vector, input);
      kernel.quantize(input, quantized);
      kernel.runEach(layer, quantized, output, 1, 16);
      for (const [row, expected] of product(matrix, [0.5, -0.5], vector).entries()) {
        const found = kernel.memory[output + row] as number;
        expect(Math.abs(found - expected)).toBeLessThan(1e-3 * Math.max(0.5, Math.abs(expected)));
      }
    }
  });

  it('multiplies each of several vectors, whatever its scale', () => {
    const kernel = new MatVecKernel();
    const columns = 24;
    const matrix = Array.from({ length: 20 }, (_, row) =>
      Float32Array.from({ length: columns }, (_, at) => Math.sin(row * columns + at)),
    );
    const bias = matrix.map((_, row) => row / 10);
    const layer = layerOf(kernel, matrix, bias);
    const [input, output] = [kernel.allocate(3 * columns), kernel.allocate(3 * 32)];
    const quantized = kernel.allocateQuantized(columns, 3);
    const vectors = [0.01, 1, 100].map((scale) =>
      Float32Array.from({ length: columns }, (_, at) => scale * Math.cos(at * at)),
    );
    for (const [place, vector] of vectors.entries()) {
      kernel.memory.set(vector, input + place * columns);
      kernel.quantize(input + place * columns, quantized, place);
    }
    kernel.runEach(layer, quantized, output, 3, 32);
    for (const [place, vector] of vectors.entries()) {
      const scale = Math.max(...vector.map(Math.abs));
      for (const [row, expected] of product(matrix, bias, vector).entries()) {
        const found = kernel.memory[output + place * 32 + row] as number;
        expect(Math.abs(found - expected), `vector ${place}, row ${row}`).toBeLessThan(1e-3 * (1 + scale));
      }
    }
  });
});

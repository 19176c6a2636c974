import { readAsset } from '../assets.ts';
import { webAssembly } from './web-assembly.ts';

/** Pointers and strides are in bytes; `columns` counts floats. */
type MatVec = (
  weights: number,
  bias: number,
  blocks: number,
  columns: number,
  relu: number,
  input: number,
  inputStride: number,
  output: number,
  outputStride: number,
  count: number,
) => void;

/** Rows computed at a time; matrices are padded to a multiple. */
const blockRows = 16;

/** A matrix and a bias in the kernel's memory. */
export interface Layer {
  readonly weights: number;
  readonly bias: number;
  readonly blocks: number;
  readonly columns: number;
  readonly relu: number;
}

/** Offsets of the tables and scratch memory of a Fourier transform, in bytes. */
export interface Fourier {
  readonly tables: number;
  readonly scratch: number;
}

/** Tables of the complex transform that computes the one of 128 real samples. */
const points = 64;
/** Scratch memory of four frames side by side. */
const complexBytes = 32;

/**
 * WASM-SIMD matrix-vector product with the memory of its weights and scratch. Offsets are indices into `memory`, in
 * floats.
 */
export class MatVecKernel {
  readonly memory: Float32Array;
  readonly #matvec: MatVec;
  readonly #spectrum: (samples: number, output: number, tables: number, scratch: number) => void;
  readonly #cell: (gates: number, cell: number, hidden: number, weights: number) => number;
  #top = 0;

  constructor() {
    const module = new webAssembly.Module(new Uint8Array(readAsset('silero-matvec.wasm')));
    const { memory, matvec, spectrum, cell } = new webAssembly.Instance(module).exports;
    this.memory = new Float32Array((memory as { readonly buffer: ArrayBuffer }).buffer);
    this.#matvec = matvec as MatVec;
    this.#spectrum = spectrum as (samples: number, output: number, tables: number, scratch: number) => void;
    this.#cell = cell as (gates: number, cell: number, hidden: number, weights: number) => number;
  }

  allocate(floats: number): number {
    const start = this.#top;
    this.#top = start + Math.ceil(floats / blockRows) * blockRows;
    if (this.#top > this.memory.length) throw new RangeError('The VAD kernel is out of memory.');
    return start;
  }

  /** `at(row, column)` returns the matrix's elements; the padding is zero. */
  layer(
    rows: number,
    columns: number,
    at: (row: number, column: number) => number,
    bias: (row: number) => number,
    activation: 'relu' | 'none',
  ): Layer {
    const blocks = Math.ceil(rows / blockRows);
    const even = columns + (columns % 2);
    const weightsAt = this.allocate(blocks * blockRows * even);
    const biasAt = this.allocate(blocks * blockRows);
    for (let row = 0; row < rows; row++) {
      this.memory[biasAt + row] = bias(row);
      const block = weightsAt + Math.floor(row / blockRows) * blockRows * even + (row % blockRows);
      for (let column = 0; column < columns; column++) this.memory[block + column * blockRows] = at(row, column);
    }
    return { weights: weightsAt * 4, bias: biasAt * 4, blocks, columns: even, relu: activation === 'relu' ? 1 : 0 };
  }

  /**
   * Applies the layer to the vector at `input` and writes the padded number of rows to `output`; with `count`, also to
   * the vectors that follow at the given strides.
   */
  run(layer: Layer, input: number, output: number, count = 1, inputStride = 0, outputStride = 0): void {
    const { weights, bias, blocks, columns, relu } = layer;
    this.#matvec(weights, bias, blocks, columns, relu, input * 4, inputStride * 4, output * 4, outputStride * 4, count);
  }

  /**
   * Allocates tables and scratch memory of `spectrum` for a window of 128 samples.
   * @see packages/media/assets/silero-matvec.wat
   */
  fourier(window: Float32Array): Fourier {
    const tables = this.allocate(window.length + points + points + 2 * (points / 2 + 1));
    this.memory.set(window, tables);
    const places = new Int32Array(this.memory.buffer, (tables + window.length) * 4, points);
    const bits = Math.log2(points);
    for (let n = 0; n < points; n++) {
      let reversed = 0;
      for (let bit = 0; bit < bits; bit++) reversed |= ((n >> bit) & 1) << (bits - 1 - bit);
      places[n] = reversed * complexBytes;
    }
    const roots = tables + window.length + points;
    for (let k = 0; k < points / 2; k++) {
      this.memory[roots + 2 * k] = Math.cos((2 * Math.PI * k) / points);
      this.memory[roots + 2 * k + 1] = -Math.sin((2 * Math.PI * k) / points);
    }
    const turns = roots + points;
    for (let k = 0; k <= points / 2; k++) {
      this.memory[turns + 2 * k] = Math.cos((Math.PI * k) / points);
      this.memory[turns + 2 * k + 1] = Math.sin((Math.PI * k) / points);
    }
    return { tables: tables * 4, scratch: this.allocate((points * complexBytes) / 4) * 4 };
  }

  /** Computes the magnitudes of 65 bins for four frames of 128 samples that start 64 samples apart. */
  spectrum({ tables, scratch }: Fourier, samples: number, output: number): void {
    this.#spectrum(samples * 4, output * 4, tables, scratch);
  }

  /**
   * Runs one step of an LSTM of 128 units from its `gates` (input, forget, cell, output): updates `cell` and `hidden`,
   * and returns the sum of the positive parts of `hidden` by `weights`.
   */
  lstmCell(gates: number, cell: number, hidden: number, weights: number): number {
    return this.#cell(gates * 4, cell * 4, hidden * 4, weights * 4);
  }
}

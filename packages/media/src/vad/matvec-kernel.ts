import { readAsset } from '../assets.ts';
import { webAssembly } from './web-assembly.ts';

/** Pointers and strides are in bytes; `columns` counts integers. */
type MatVec = (
  weights: number,
  bias: number,
  rowScales: number,
  blocks: number,
  columns: number,
  relu: number,
  input: number,
  inputStride: number,
  scale: number,
  scaleStride: number,
  output: number,
  outputStride: number,
  count: number,
) => void;

/** Rows computed at a time; matrices are padded to a multiple. */
const blockRows = 16;
/** Largest integer of a quantized vector. */
const largestInput = 8_191;
const largestWeight = 32_767;
const largestSum = 2 ** 31 - 1;

/** A matrix and a bias in the kernel's memory. */
export interface Layer {
  readonly weights: number;
  readonly bias: number;
  readonly rowScales: number;
  readonly blocks: number;
  readonly columns: number;
  readonly relu: number;
}

/** Offsets of consecutive vectors of 16-bit integers and of their scales, in floats. */
export interface Quantized {
  readonly integers: number;
  readonly scales: number;
  /** Integers of a vector: a multiple of 8. */
  readonly length: number;
}

/** Offsets of the tables and scratch memory of a Fourier transform, in bytes. */
export interface Fourier {
  readonly tables: number;
  readonly scratch: number;
}

/** Size of the complex Fourier transform from which that of 128 real samples is computed. */
const points = 64;
/** Bytes of one complex value of four frames, which are computed side by side. */
const complexBytes = 32;

/**
 * WASM-SIMD matrix-vector product with the memory of its weights and scratch. Offsets are indices into `memory`, in
 * floats.
 *
 * Matrices and vectors are multiplied as integers of 16 bits, which take half the memory of floats and less time. Each
 * row of a matrix and each vector has a scale of its own.
 */
export class MatVecKernel {
  readonly memory: Float32Array;
  readonly #integers: Int16Array;
  readonly #matvec: MatVec;
  readonly #quantize: (input: number, count: number, to: number, scale: number) => void;
  readonly #spectrum: (samples: number, output: number, tables: number, scratch: number) => void;
  readonly #cell: (gates: number, cell: number, hidden: number, weights: number) => number;
  #top = 0;

  constructor() {
    const module = new webAssembly.Module(new Uint8Array(readAsset('silero-matvec.wasm')));
    const { memory, matvec, quantize, spectrum, cell } = new webAssembly.Instance(module).exports;
    this.memory = new Float32Array((memory as { readonly buffer: ArrayBuffer }).buffer);
    this.#integers = new Int16Array(this.memory.buffer);
    this.#matvec = matvec as MatVec;
    this.#quantize = quantize as (input: number, count: number, to: number, scale: number) => void;
    this.#spectrum = spectrum as (samples: number, output: number, tables: number, scratch: number) => void;
    this.#cell = cell as (gates: number, cell: number, hidden: number, weights: number) => number;
  }

  allocate(floats: number): number {
    const start = this.#top;
    this.#top = start + Math.ceil(floats / blockRows) * blockRows;
    if (this.#top > this.memory.length) throw new RangeError('The VAD kernel is out of memory.');
    return start;
  }

  /**
   * Stores a layer in the memory, with quantized weights. `at(row, column)` returns the matrix's elements; the padding
   * is zero.
   */
  layer(
    rows: number,
    columns: number,
    at: (row: number, column: number) => number,
    bias: (row: number) => number,
    activation: 'relu' | 'none',
  ): Layer {
    const blocks = Math.ceil(rows / blockRows);
    const even = columns + (columns % 2);
    const weightsAt = this.allocate((blocks * blockRows * even) / 2);
    const biasAt = this.allocate(blocks * blockRows);
    const rowScalesAt = this.allocate(blocks * blockRows);
    const weights = new Float32Array(columns);
    for (let row = 0; row < rows; row++) {
      this.memory[biasAt + row] = bias(row);
      for (let column = 0; column < columns; column++) weights[column] = at(row, column);
      const factor = quantizationFactor(weights);
      this.memory[rowScalesAt + row] = 1 / factor;
      const block = 2 * weightsAt + Math.floor(row / blockRows) * blockRows * even + 2 * (row % blockRows);
      for (let column = 0; column < columns; column++) {
        const pair = block + Math.floor(column / 2) * 2 * blockRows;
        this.#integers[pair + (column % 2)] = Math.round((weights[column] as number) * factor);
      }
    }
    return {
      weights: weightsAt * 4,
      bias: biasAt * 4,
      rowScales: rowScalesAt * 4,
      blocks,
      columns: even,
      relu: activation === 'relu' ? 1 : 0,
    };
  }

  /** Allocates quantized vectors of at least this many floats. */
  allocateQuantized(floats: number, vectors = 1): Quantized {
    const length = Math.ceil(floats / 8) * 8;
    return { integers: this.allocate((vectors * length) / 2), scales: this.allocate(vectors), length };
  }

  /** Quantizes as many floats from `input` on as a vector has integers, and writes them to the vector at `place`. */
  quantize(input: number, to: Quantized, place = 0): void {
    const { integers, scales, length } = to;
    this.#quantize(input * 4, length, integers * 4 + place * length * 2, (scales + place) * 4);
  }

  /** Applies the layer to each quantized vector, and writes the padded number of rows for each to `output`. */
  runEach(layer: Layer, input: Quantized, output: number, count: number, outputStride: number): void {
    this.#run(layer, input, input.length, 4, output, count, outputStride);
  }

  /**
   * Applies the layer to `count` parts of the first quantized vector, which begin `inputStride` integers apart,
   * and writes the padded number of rows for each to `output`.
   */
  runAlong(
    layer: Layer,
    input: Quantized,
    inputStride: number,
    output: number,
    count: number,
    outputStride: number,
  ): void {
    this.#run(layer, input, inputStride, 0, output, count, outputStride);
  }

  #run(
    { weights, bias, rowScales, blocks, columns, relu }: Layer,
    { integers, scales }: Quantized,
    inputStride: number,
    scaleStride: number,
    output: number,
    count: number,
    outputStride: number,
  ): void {
    this.#matvec(
      weights,
      bias,
      rowScales,
      blocks,
      columns,
      relu,
      integers * 4,
      inputStride * 2,
      scales * 4,
      scaleStride,
      output * 4,
      outputStride * 4,
      count,
    );
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
   * and returns the sum of the positive elements of `hidden`, each multiplied by its element of `weights`.
   */
  lstmCell(gates: number, cell: number, hidden: number, weights: number): number {
    return this.#cell(gates * 4, cell * 4, hidden * 4, weights * 4);
  }
}

/** Returns the factor that converts a row's weights to integers, small enough that no sum of products overflows. */
function quantizationFactor(weights: Float32Array): number {
  let [sum, largest] = [0, 0];
  for (let column = 0; column < weights.length; column++) {
    const size = Math.abs(weights[column] as number);
    sum += size;
    largest = Math.max(largest, size);
  }
  if (largest === 0) return 1;
  // Rounding adds up to one half to each weight.
  const fitting = (largestSum / largestInput - weights.length) / sum;
  return Math.min(largestWeight / largest, fitting);
}

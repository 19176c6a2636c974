/** Constants of a transform. Shared by all spectra of a size: a call must not wait for 500 sines. */
interface TransformTables {
  readonly window: Float64Array;
  readonly cosines: Float64Array;
  readonly sines: Float64Array;
  /** For each index, the index with its bits in reverse order. */
  readonly reversed: Uint16Array;
}

const tablesBySize = new Map<number, TransformTables>();

function tablesOf(size: number): TransformTables {
  const known = tablesBySize.get(size);
  if (known !== undefined) return known;
  const tables = createTables(size);
  tablesBySize.set(size, tables);
  return tables;
}

function createTables(size: number): TransformTables {
  const bits = Math.log2(size);
  return {
    window: Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size)),
    cosines: Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size)),
    sines: Float64Array.from({ length: size / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / size)),
    reversed: Uint16Array.from({ length: size }, (_, i) => {
      let reversed = 0;
      for (let bit = 0; bit < bits; bit++) reversed |= ((i >> bit) & 1) << (bits - 1 - bit);
      return reversed;
    }),
  };
}

/** Power spectrum of real samples with a Hann window, by a radix-2 FFT on its own buffers, without allocations. */
export class Spectrum {
  readonly size: number;
  /** Power of each bin from 0 to half the sample rate, set by `analyze`. */
  readonly power: Float64Array;
  readonly #window: Float64Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;
  readonly #reversed: Uint16Array;

  /** @param size a power of two */
  constructor(size: number) {
    this.size = size;
    this.power = new Float64Array(size / 2 + 1);
    this.#real = new Float64Array(size);
    this.#imaginary = new Float64Array(size);
    const { window, cosines, sines, reversed } = tablesOf(size);
    this.#window = window;
    this.#cosines = cosines;
    this.#sines = sines;
    this.#reversed = reversed;
  }

  /** Analyzes `size` samples of a ring buffer of that size, the oldest at `start`. */
  analyze(ring: Float64Array, start: number): void {
    const { size, power } = this;
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let i = 0; i < size; i++) {
      const at = this.#reversed[i] as number;
      real[at] = (ring[(start + i) & (size - 1)] as number) * (this.#window[i] as number);
    }
    imaginary.fill(0);
    for (let length = 2; length <= size; length *= 2) this.#combine(length);
    for (let bin = 0; bin < power.length; bin++) {
      const x = real[bin] as number;
      const y = imaginary[bin] as number;
      power[bin] = x * x + y * y;
    }
  }

  /** Combines transforms of half the length into those of `length`. */
  #combine(length: number): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    const half = length / 2;
    const stride = this.size / length;
    for (let i = 0; i < half; i++) {
      const cosine = this.#cosines[i * stride] as number;
      const sine = this.#sines[i * stride] as number;
      for (let low = i; low < this.size; low += length) {
        const high = low + half;
        const x = real[high] as number;
        const y = imaginary[high] as number;
        const turnedX = x * cosine - y * sine;
        const turnedY = x * sine + y * cosine;
        real[high] = (real[low] as number) - turnedX;
        imaginary[high] = (imaginary[low] as number) - turnedY;
        real[low] = (real[low] as number) + turnedX;
        imaginary[low] = (imaginary[low] as number) + turnedY;
      }
    }
  }
}

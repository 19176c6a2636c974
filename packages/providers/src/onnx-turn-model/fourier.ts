/** Factors of the transform's length. */
const radices = [4, 4, 5, 5] as const;

interface Stage {
  readonly radix: (typeof radices)[number];
  /** Number of interleaved transforms that the stages before have split off. */
  readonly stride: number;
  /** Length of the remaining transforms after this stage. */
  readonly rest: number;
  /** Twiddle factors by position and output: `cosines[radix * position + output]`. */
  readonly cosines: Float64Array;
  readonly sines: Float64Array;
}

/** Length of the transform: the window of the features. */
export const transformSize = 400;

/**
 * Complex discrete Fourier transform of 400 points: `real` and `imaginary` are set by the caller and replaced by the
 * spectrum. A mixed-radix Stockham transform (4, 4, 5, 5), because most libraries support only powers of two. Reuses
 * its buffers.
 * @see Van Loan, Computational Frameworks for the Fast Fourier Transform, §1.7
 */
export class FourierTransform {
  real: Float64Array = new Float64Array(transformSize);
  imaginary: Float64Array = new Float64Array(transformSize);
  #nextReal: Float64Array = new Float64Array(transformSize);
  #nextImaginary: Float64Array = new Float64Array(transformSize);
  readonly #stages: readonly Stage[] = stages();

  transform(): void {
    for (const stage of this.#stages) {
      if (stage.radix === 4) this.#radix4(stage);
      else this.#radix5(stage);
      [this.real, this.#nextReal] = [this.#nextReal, this.real];
      [this.imaginary, this.#nextImaginary] = [this.#nextImaginary, this.imaginary];
    }
  }

  #radix4({ stride, rest, cosines, sines }: Stage): void {
    const { real, imaginary } = this;
    const step = stride * rest;
    for (let position = 0; position < rest; position++) {
      for (let q = 0; q < stride; q++) {
        const at = q + stride * position;
        const ar = real[at] as number;
        const ai = imaginary[at] as number;
        const br = real[at + step] as number;
        const bi = imaginary[at + step] as number;
        const cr = real[at + 2 * step] as number;
        const ci = imaginary[at + 2 * step] as number;
        const dr = real[at + 3 * step] as number;
        const di = imaginary[at + 3 * step] as number;
        const to = q + stride * 4 * position;
        const twiddle = 4 * position;
        this.#put(to, ar + br + cr + dr, ai + bi + ci + di, cosines, sines, twiddle);
        this.#put(to + stride, ar + bi - cr - di, ai - br - ci + dr, cosines, sines, twiddle + 1);
        this.#put(to + 2 * stride, ar - br + cr - dr, ai - bi + ci - di, cosines, sines, twiddle + 2);
        this.#put(to + 3 * stride, ar - bi - cr + di, ai + br - ci - dr, cosines, sines, twiddle + 3);
      }
    }
  }

  #radix5({ stride, rest, cosines, sines }: Stage): void {
    const { real, imaginary } = this;
    const step = stride * rest;
    for (let position = 0; position < rest; position++) {
      for (let q = 0; q < stride; q++) {
        const at = q + stride * position;
        const ar = real[at] as number;
        const ai = imaginary[at] as number;
        // Sums and differences of the inputs with conjugate factors: the second and fifth, third and fourth.
        const sum1r = (real[at + step] as number) + (real[at + 4 * step] as number);
        const sum1i = (imaginary[at + step] as number) + (imaginary[at + 4 * step] as number);
        const sum2r = (real[at + 2 * step] as number) + (real[at + 3 * step] as number);
        const sum2i = (imaginary[at + 2 * step] as number) + (imaginary[at + 3 * step] as number);
        const difference1r = (real[at + step] as number) - (real[at + 4 * step] as number);
        const difference1i = (imaginary[at + step] as number) - (imaginary[at + 4 * step] as number);
        const difference2r = (real[at + 2 * step] as number) - (real[at + 3 * step] as number);
        const difference2i = (imaginary[at + 2 * step] as number) - (imaginary[at + 3 * step] as number);
        const even1r = ar + cosine1 * sum1r + cosine2 * sum2r;
        const even1i = ai + cosine1 * sum1i + cosine2 * sum2i;
        const even2r = ar + cosine2 * sum1r + cosine1 * sum2r;
        const even2i = ai + cosine2 * sum1i + cosine1 * sum2i;
        const odd1r = sine1 * difference1i + sine2 * difference2i;
        const odd1i = -sine1 * difference1r - sine2 * difference2r;
        const odd2r = sine2 * difference1i - sine1 * difference2i;
        const odd2i = -sine2 * difference1r + sine1 * difference2r;
        const to = q + stride * 5 * position;
        const twiddle = 5 * position;
        this.#put(to, ar + sum1r + sum2r, ai + sum1i + sum2i, cosines, sines, twiddle);
        this.#put(to + stride, even1r + odd1r, even1i + odd1i, cosines, sines, twiddle + 1);
        this.#put(to + 2 * stride, even2r + odd2r, even2i + odd2i, cosines, sines, twiddle + 2);
        this.#put(to + 3 * stride, even2r - odd2r, even2i - odd2i, cosines, sines, twiddle + 3);
        this.#put(to + 4 * stride, even1r - odd1r, even1i - odd1i, cosines, sines, twiddle + 4);
      }
    }
  }

  /** Stores a value, turned by its twiddle factor. */
  #put(at: number, r: number, i: number, cosines: Float64Array, sines: Float64Array, twiddle: number): void {
    const cosine = cosines[twiddle] as number;
    const sine = sines[twiddle] as number;
    this.#nextReal[at] = r * cosine + i * sine;
    this.#nextImaginary[at] = i * cosine - r * sine;
  }
}

const cosine1 = Math.cos((2 * Math.PI) / 5);
const cosine2 = Math.cos((4 * Math.PI) / 5);
const sine1 = Math.sin((2 * Math.PI) / 5);
const sine2 = Math.sin((4 * Math.PI) / 5);

function stages(): Stage[] {
  let stride = 1;
  let size = transformSize;
  return radices.map((radix) => {
    const rest = size / radix;
    const angle = (i: number): number => (2 * Math.PI * Math.floor(i / radix) * (i % radix)) / size;
    const stage: Stage = {
      radix,
      stride,
      rest,
      cosines: Float64Array.from({ length: size }, (_, i) => Math.cos(angle(i))),
      sines: Float64Array.from({ length: size }, (_, i) => Math.sin(angle(i))),
    };
    stride *= radix;
    size = rest;
    return stage;
  });
}

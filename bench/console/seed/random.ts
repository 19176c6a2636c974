/** Repeatable random numbers, so that two runs have the same calls. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 up to 1, exclusive. @see https://en.wikipedia.org/wiki/Permuted_congruential_generator */
  next(): number {
    this.#state = (Math.imul(this.#state, 747_796_405) + 2_891_336_453) >>> 0;
    const shifted = ((this.#state >>> ((this.#state >>> 28) + 4)) ^ this.#state) >>> 0;
    const word = Math.imul(shifted, 277_803_737) >>> 0;
    return (((word >>> 22) ^ word) >>> 0) / 2 ** 32;
  }

  /** Returns an integer between two bounds, both inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  bytes(size: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length: size }, () => this.integer(0, 255));
  }
}

/** Picks values by their weights. */
export class Weighted<T> {
  readonly #values: readonly T[];
  readonly #bounds: Float64Array;

  constructor(weights: readonly (readonly [value: T, weight: number])[]) {
    let sum = 0;
    this.#values = weights.map(([value]) => value);
    this.#bounds = Float64Array.from(weights, ([, weight]) => {
      sum += weight;
      return sum;
    });
  }

  pick(random: Random): T {
    const wanted = random.next() * (this.#bounds.at(-1) ?? 0);
    let [low, high] = [0, this.#bounds.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#bounds[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return this.#values[low] as T;
  }
}

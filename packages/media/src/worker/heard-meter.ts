/** Layout of the word: samples in the lower 24 bits, a generation above them, and the paused flag in the top bit. */
const samplesMask = 0xff_ffff;
const generationShift = 24;
const generationMask = 0x7f;
const pausedBit = 1 << 31;

/**
 * Counts the played samples of the agent in shared memory, so that the thread that plays and the one that pauses and
 * clears always agree. Each cut starts a new generation: frames of an earlier one can no longer be claimed.
 */
export class HeardMeter {
  readonly shared: SharedArrayBuffer;
  readonly #word: Int32Array;

  /** @param shared 4 bytes, on which both threads create a meter */
  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#word = new Int32Array(shared);
  }

  /** Counts samples that are about to be sent. Returns false, without counting, if they are paused or cut off. */
  claim(generation: number, samples: number): boolean {
    // A plain read is cheaper; the exchange below checks that the word has not changed.
    const word = this.#word[0] as number;
    if (word < 0 || generationOf(word) !== (generation & generationMask)) return false;
    const next = (word & ~samplesMask) | ((word + samples) & samplesMask);
    // Fails only if a pause or a cut has changed the word meanwhile.
    return Atomics.compareExchange(this.#word, 0, word, next) === word;
  }

  pause(): void {
    Atomics.or(this.#word, 0, pausedBit);
  }

  resume(): void {
    Atomics.and(this.#word, 0, ~pausedBit);
  }

  /**
   * Starts a new generation and ends a pause. Returns the samples claimed in the ended generation, modulo 2²⁴: half an
   * hour at 8 kHz, a quarter at 16 kHz.
   */
  cut(): number {
    let word = Atomics.load(this.#word, 0);
    for (;;) {
      const next = ((generationOf(word) + 1) & generationMask) << generationShift;
      const found = Atomics.compareExchange(this.#word, 0, word, next);
      if (found === word) return word & samplesMask;
      word = found;
    }
  }

  /** Returns the number of samples between two values of the counter. */
  static between(earlier: number, later: number): number {
    return (later - earlier) & samplesMask;
  }
}

function generationOf(word: number): number {
  return (word >>> generationShift) & generationMask;
}

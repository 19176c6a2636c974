/** What one word holds: a generation in its upper 8 bits, samples in the lower 24. */
const samplesMask = 0xff_ffff;
const generationShift = 24;
const generationMask = 0xff;

/**
 * How much of the agent's speech has been played, known in the same instant to the thread that plays it and to the one
 * that cuts it off. Each cut begins a new generation: frames of an earlier one can no longer be claimed.
 */
export class HeardMeter {
  readonly #word: Int32Array;

  /** @param shared 4 bytes, of which each of the two threads makes a meter. */
  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#word = new Int32Array(shared);
  }

  get shared(): SharedArrayBuffer {
    return this.#word.buffer as SharedArrayBuffer;
  }

  /** The player is about to send so many samples. False, and nothing counted, when they have been cut off. */
  claim(generation: number, samples: number): boolean {
    const word = Atomics.load(this.#word, 0);
    if (generationOf(word) !== (generation & generationMask)) return false;
    const next = (word & ~samplesMask) | ((word + samples) & samplesMask);
    // Nothing but a cut can have come between.
    return Atomics.compareExchange(this.#word, 0, word, next) === word;
  }

  /** Ends the generation. Gives what was claimed in it: samples modulo 2²⁴, half an hour. */
  cut(): number {
    let word = Atomics.load(this.#word, 0);
    for (;;) {
      const next = ((generationOf(word) + 1) & generationMask) << generationShift;
      const found = Atomics.compareExchange(this.#word, 0, word, next);
      if (found === word) return word & samplesMask;
      word = found;
    }
  }

  /** What was counted between two readings. */
  static between(earlier: number, later: number): number {
    return (later - earlier) & samplesMask;
  }
}

function generationOf(word: number): number {
  return (word >>> generationShift) & generationMask;
}

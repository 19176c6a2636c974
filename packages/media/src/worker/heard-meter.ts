/** What the word holds: samples in the lower 24 bits, above them a generation, and at the top whether it is paused. */
const samplesMask = 0xff_ffff;
const generationShift = 24;
const generationMask = 0x7f;
const pausedBit = 1 << 31;

/**
 * How much of the agent's speech has been played, known in the same instant to the thread that plays it and to the one
 * that pauses it and cuts it off. Each cut begins a new generation: frames of an earlier one can no longer be claimed.
 */
export class HeardMeter {
  readonly shared: SharedArrayBuffer;
  readonly #word: Int32Array;

  /** @param shared 4 bytes, of which each of the two threads makes a meter */
  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#word = new Int32Array(shared);
  }

  /**
   * The player is about to send so many samples. False, and nothing counted, while it is paused or when they are cut
   * off.
   */
  claim(generation: number, samples: number): boolean {
    // Read as any memory is, which costs each frame less: whether it is still what it was, is asked below.
    const word = this.#word[0] as number;
    if (word < 0 || generationOf(word) !== (generation & generationMask)) return false;
    const next = (word & ~samplesMask) | ((word + samples) & samplesMask);
    // Nothing but a pause or a cut can have come between.
    return Atomics.compareExchange(this.#word, 0, word, next) === word;
  }

  pause(): void {
    Atomics.or(this.#word, 0, pausedBit);
  }

  resume(): void {
    Atomics.and(this.#word, 0, ~pausedBit);
  }

  /** Ends the generation, and a pause. Gives what was claimed in it: samples modulo 2²⁴, half an hour. */
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

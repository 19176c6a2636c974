import { frameSamples } from './frame.ts';

/** The last few frames of a call, in buffers that are used again. */
export class FrameRing {
  readonly #frames: readonly Uint8Array[];
  #first = 0;
  #count = 0;

  constructor(size: number) {
    this.#frames = Array.from({ length: size }, () => new Uint8Array(frameSamples));
  }

  /** Keeps a copy; the oldest one makes room for it. */
  push(frame: Uint8Array): void {
    const size = this.#frames.length;
    if (this.#count === size) this.shift();
    this.#frames[(this.#first + this.#count) % size]?.set(frame);
    this.#count += 1;
  }

  /** The oldest one, good until the next is pushed. */
  shift(): Uint8Array | undefined {
    if (this.#count === 0) return undefined;
    const frame = this.#frames[this.#first];
    this.#first = (this.#first + 1) % this.#frames.length;
    this.#count -= 1;
    // A call that keeps up uses the same buffer again and again, which is still in the processor's cache.
    if (this.#count === 0) this.#first = 0;
    return frame;
  }
}

import { frameMs } from '@va/media';

const maxFrames = 2_000 / frameMs;

/**
 * The caller's last two seconds, as far as there are no final words of them: what the next recognizer has to hear
 * again when one is lost.
 */
export class UnsettledFrames {
  #frames: Uint8Array[] = [];
  /** How many frames there have been before the first of these. */
  #droppedFrames = 0;
  /** Where the speech ended that is being settled, oldest first. */
  #ends: number[] = [];

  get frames(): readonly Uint8Array[] {
    return this.#frames;
  }

  /** How often the recognizer still owes the answer to a `finalize`. */
  get owed(): number {
    return this.#ends.length;
  }

  /** Keeps a copy. */
  push(codes: Uint8Array): void {
    this.#frames.push(codes.slice());
    if (this.#frames.length > maxFrames) this.#dropUntil(this.#droppedFrames + 1);
  }

  finalize(): void {
    this.#ends.push(this.#droppedFrames + this.#frames.length);
  }

  /** There are final words: of what came before the oldest `finalize`, or else of all so far. */
  settle(): void {
    this.#dropUntil(this.#ends[0] ?? Number.POSITIVE_INFINITY);
  }

  /** The oldest `finalize` has been answered. */
  finalized(): void {
    const end = this.#ends.shift();
    if (end !== undefined) this.#dropUntil(end);
  }

  #dropUntil(end: number): void {
    const count = Math.max(0, Math.min(this.#frames.length, end - this.#droppedFrames));
    this.#frames.splice(0, count);
    this.#droppedFrames += count;
  }
}

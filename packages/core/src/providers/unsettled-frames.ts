import { frameMs } from '@va/media';

const maxFrames = 2_000 / frameMs;

/** The caller's last two seconds without final words: the audio that the next recognizer gets again after a failure. */
export class UnsettledFrames {
  #frames: Uint8Array[] = [];
  /** Number of frames that were dropped, which is the position of the first kept frame. */
  #droppedFrames = 0;
  /** Positions of the unanswered `finalize` requests in the audio, in frames, oldest first. */
  #ends: number[] = [];

  get frames(): readonly Uint8Array[] {
    return this.#frames;
  }

  /** Number of `finalize` requests without an answer. */
  get owed(): number {
    return this.#ends.length;
  }

  /** Stores a copy of a frame. */
  push(payload: Uint8Array): void {
    this.#frames.push(payload.slice());
    if (this.#frames.length > maxFrames) this.#dropUntil(this.#droppedFrames + 1);
  }

  finalize(): void {
    this.#ends.push(this.#droppedFrames + this.#frames.length);
  }

  /** Drops the audio that final words cover: up to the oldest `finalize`, or all of it. */
  settle(): void {
    this.#dropUntil(this.#ends[0] ?? Number.POSITIVE_INFINITY);
  }

  /** Handles the answer to the oldest `finalize` request. */
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

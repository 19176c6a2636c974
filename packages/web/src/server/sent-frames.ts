import type { Clock } from '@va/core/adapter';
import { frameMs } from '../protocol/messages.ts';

/** Frames kept for a page that reconnects, and for `holdUnplayed`: 2 s. */
const maxKept = 100;

/** Frames sent to a page, by sequence number, and the page's playback position. */
export class SentFrames {
  readonly #clock: Clock;
  readonly #frameBytes: number;
  /** Ring buffer of the last frames, indexed by sequence number modulo its size. */
  readonly #kept: Uint8Array;
  #next = 0;
  #played = 0;
  #playedAtMs = 0;

  /** @param frameBytes length of each frame */
  constructor(clock: Clock, frameBytes: number) {
    this.#clock = clock;
    this.#frameBytes = frameBytes;
    this.#kept = new Uint8Array(maxKept * frameBytes);
  }

  /** The sequence number of the next frame. */
  get next(): number {
    return this.#next;
  }

  /** Counts a frame and returns its sequence number. The frame is copied. */
  add(frame: Uint8Array): number {
    if (this.#next === this.#played) this.#playedAtMs = this.#clock.nowMs();
    this.#kept.set(frame, this.#placeOf(this.#next));
    this.#next += 1;
    return this.#next - 1;
  }

  /** Handles the page's report that it has played all frames before this sequence number. */
  playedTo(sequence: number): void {
    // Ignores a late report about cleared frames.
    if (sequence <= this.#played || sequence > this.#next) return;
    this.#played = sequence;
    this.#playedAtMs = this.#clock.nowMs();
  }

  /** Number of unplayed frames, assuming real-time playback since the last report. */
  get unplayed(): number {
    const since = Math.floor((this.#clock.nowMs() - this.#playedAtMs) / frameMs);
    return Math.max(0, this.#next - this.#played - since);
  }

  /** Counts all frames as played, because the page drops them. Returns the unplayed ones. */
  clear(): { readonly count: number; readonly frames: readonly Uint8Array[] } {
    const count = this.unplayed;
    const frames = this.from(this.#next - count).map(({ frame }) => frame);
    this.#played = this.#next;
    this.#playedAtMs = this.#clock.nowMs();
    return { count, frames };
  }

  /** Returns copies of the buffered frames from a sequence number on. */
  from(sequence: number): readonly { readonly sequence: number; readonly frame: Uint8Array }[] {
    const first = Math.max(0, sequence, this.#next - maxKept);
    return Array.from({ length: Math.max(0, this.#next - first) }, (_, n) => {
      const at = this.#placeOf(first + n);
      return { sequence: first + n, frame: this.#kept.slice(at, at + this.#frameBytes) };
    });
  }

  /** Restarts the clock of the playback estimate: time without a connection does not count as played. */
  resumePlayback(): void {
    this.#playedAtMs = this.#clock.nowMs();
  }

  #placeOf(sequence: number): number {
    return (sequence % maxKept) * this.#frameBytes;
  }
}

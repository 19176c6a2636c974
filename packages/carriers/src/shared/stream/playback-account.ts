import type { Clock } from '@va/core/adapter';

/** Duration of a frame in milliseconds. */
export const frameMs = 20;
/** Frames between two marks, which is the accuracy of the playback position. */
const markEvery = 200 / frameMs;
/** Queued frames above which silent frames are dropped, so that clock drift adds no delay. */
const maxQueuedFrames = 100 / frameMs;

interface Mark {
  readonly name: string;
  /** Number of frames sent before the mark. */
  readonly frames: number;
}

/**
 * Tracks the playback position of a far end by the marks that it returns. Marks of cleared audio are returned too and
 * are recognized by their name.
 */
export class PlaybackAccount {
  readonly #clock: Clock;
  #sent = 0;
  /** Frames played at `#playedAtMs`. */
  #played = 0;
  #playedAtMs = 0;
  #generation = 0;
  #marks: Mark[] = [];
  /** Number of silent frames that may still be dropped before the next mark returns. */
  #surplus = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a sent frame. Every 200 ms, returns the name of a mark to send after it. */
  sent(): string | null {
    if (this.#sent === this.#played) this.#playedAtMs = this.#clock.nowMs();
    this.#sent += 1;
    return this.#sent % markEvery === 0 ? this.mark() : null;
  }

  /** Returns the name of a mark to send now. */
  mark(): string {
    const name = `${this.#generation}.${this.#sent}`;
    this.#marks.push({ name, frames: this.#sent });
    return name;
  }

  /** Handles a returned mark. Ignores unknown marks and those of cleared audio. */
  returned(name: string): void {
    const at = this.#marks.findIndex((mark) => mark.name === name);
    const mark = this.#marks[at];
    if (mark === undefined) return;
    this.#marks = this.#marks.slice(at + 1);
    this.#played = mark.frames;
    this.#playedAtMs = this.#clock.nowMs();
    this.#surplus = Math.max(0, this.#sent - mark.frames - maxQueuedFrames);
  }

  /** Returns true, and counts the frame, if a silent frame is to be dropped. */
  leavesOut(): boolean {
    if (this.#surplus === 0) return false;
    this.#surplus -= 1;
    return true;
  }

  /** True if no sent mark is still to be returned. Frames sent after the last mark may be unplayed. */
  get isDrained(): boolean {
    return this.#marks.length === 0;
  }

  /** Number of sent frames that have not been played, assuming real-time playback since the last mark. */
  get unplayed(): number {
    const since = Math.floor((this.#clock.nowMs() - this.#playedAtMs) / frameMs);
    return Math.max(0, this.#sent - this.#played - since);
  }

  /** Discards the queue after the far end cleared it. Returns the number of unplayed frames. */
  cleared(): number {
    const { unplayed } = this;
    this.#generation += 1;
    this.#marks = [];
    this.#played = this.#sent;
    this.#playedAtMs = this.#clock.nowMs();
    this.#surplus = 0;
    return unplayed;
  }
}

import type { Clock } from '@va/core/adapter';

/** Duration of a frame in milliseconds. */
export const frameMs = 20;
/** Frames between two marks: the account is exact to their duration. */
const markEvery = 200 / frameMs;
/** Queued frames beyond which silent frames are left out, so that clock drift does not add delay. */
const maxQueuedFrames = 100 / frameMs;

interface Mark {
  readonly name: string;
  /** Number of frames sent before it. */
  readonly frames: number;
}

/**
 * Account of the frames that a far end has played from its queue, by the marks that it returns. Marks of cleared audio
 * come back too: their names tell them apart.
 */
export class PlaybackAccount {
  readonly #clock: Clock;
  #sent = 0;
  /** Frames played at `#playedAtMs`. */
  #played = 0;
  #playedAtMs = 0;
  #generation = 0;
  #marks: Mark[] = [];
  /** Silent frames that may still be left out until the next mark returns. */
  #surplus = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a sent frame. Returns the name of a mark to send after it, every 200 ms. */
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

  /** Takes a mark that the far end returned; unknown ones, and those of cleared audio, are ignored. */
  returned(name: string): void {
    const at = this.#marks.findIndex((mark) => mark.name === name);
    const mark = this.#marks[at];
    if (mark === undefined) return;
    this.#marks = this.#marks.slice(at + 1);
    this.#played = mark.frames;
    this.#playedAtMs = this.#clock.nowMs();
    this.#surplus = Math.max(0, this.#sent - mark.frames - maxQueuedFrames);
  }

  /** Returns true if a silent frame is to be left out, and counts it as such. */
  leavesOut(): boolean {
    if (this.#surplus === 0) return false;
    this.#surplus -= 1;
    return true;
  }

  /** True once everything sent has been played, as far as marks tell. */
  get isDrained(): boolean {
    return this.#marks.length === 0;
  }

  /** Number of sent frames that have not been played: since the last mark, the far end has played in real time. */
  get unplayed(): number {
    const since = Math.floor((this.#clock.nowMs() - this.#playedAtMs) / frameMs);
    return Math.max(0, this.#sent - this.#played - since);
  }

  /** Forgets what is queued, which the far end has cleared. Returns the number of frames. */
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

import { frameMs } from '../codec/frame.ts';
import type { FrameRecording } from './stereo-recording.ts';

/** Delay of writing, so that late frames of the far end can still be placed. */
const delayFrames = 10;
/** Frames that arrive evenly can appear early by one if they arrive near the end of our own frame. */
const toleratedEarly = 1;
/** Longer stalls, such as of a suspended machine, are cut from both sides: hours of silence would block the thread. */
const maxStallFrames = 250;
/** Number of frames kept of each side: ticks may lag by `delayFrames`, in addition to the delay of writing. */
const slots = 2 * delayFrames + 2;

/**
 * Aligns the two sides of a recording: each frame of the far end is written next to the frame that was sent when it
 * arrived, within 40 ms over any length of call.
 *
 * A frame is first placed at the time of its arrival. If later frames arrive faster than real time, the network had
 * delayed them (loss, jitter, a stall): they and the frames just before are moved back over the gap in front of them.
 * Without a gap the oldest frames are dropped: the far end's clock is faster, or the delayed frames are older than
 * everything unwritten. Silence fills gaps.
 */
export class RecordingAligner {
  readonly #recording: FrameRecording;
  readonly #silence: Uint8Array;
  #startedAtMs: number;
  /** Indexed by the frame number from the start of the recording, modulo the length. */
  readonly #caller: readonly Uint8Array[];
  readonly #isHeard: boolean[];
  readonly #agent: readonly Uint8Array[];
  /** Numbers of the next frame to write, and of the next frame of the agent. */
  #written = 0;
  #sent = 0;
  /** Position of the far end's next frame if it follows without a gap. */
  #next = 0;

  constructor(recording: FrameRecording, silence: Uint8Array, startedAtMs: number) {
    this.#recording = recording;
    this.#silence = silence;
    this.#startedAtMs = startedAtMs;
    const frames = (): Uint8Array[] => Array.from({ length: slots }, () => new Uint8Array(silence.length));
    this.#caller = frames();
    this.#agent = frames();
    this.#isHeard = new Array<boolean>(slots).fill(false);
  }

  /** Adds a copy of a frame of the far end that arrived at `nowMs`. */
  receive(frame: Uint8Array, nowMs: number): void {
    const now = this.#catchUp(nowMs);
    let early = this.#next - now;
    while (early > 0 && this.#moveBack(early > toleratedEarly)) early -= 1;
    const at = Math.max(this.#next, now);
    if (at - this.#written >= slots) return;
    this.#caller[at % slots]?.set(frame);
    this.#isHeard[at % slots] = true;
    this.#next = at + 1;
  }

  /** Adds a copy of the frame of the agent that is sent at `nowMs`. */
  send(frame: Uint8Array, nowMs: number): void {
    this.#catchUp(nowMs);
    this.#take(frame);
  }

  /** Writes all kept frames. Nothing may be added afterwards. */
  flush(): void {
    while (this.#written < this.#sent) this.#write();
  }

  /**
   * Returns the number of the current frame. After a long stall, its ticks are skipped, because nothing was sent in
   * them.
   */
  #catchUp(nowMs: number): number {
    const elapsed = Math.floor((nowMs - this.#startedAtMs) / frameMs);
    const leftOut = Math.max(0, elapsed - this.#sent - maxStallFrames);
    this.#startedAtMs += leftOut * frameMs;
    const due = elapsed - leftOut;
    while (due - this.#sent > delayFrames) this.#take(this.#silence);
    return due;
  }

  #take(frame: Uint8Array): void {
    this.#agent[this.#sent % slots]?.set(frame);
    this.#sent += 1;
    if (this.#sent - this.#written > delayFrames) this.#write();
  }

  #write(): void {
    const place = this.#written % slots;
    const caller = this.#isHeard[place] ? this.#caller[place] : this.#silence;
    this.#recording.write(caller ?? this.#silence, this.#agent[place] ?? this.#silence);
    this.#isHeard[place] = false;
    this.#written += 1;
  }

  /**
   * Moves the latest frames back by one, over the gap before them or, if allowed, over the oldest frame; returns false
   * if neither is possible.
   */
  #moveBack(mayDrop: boolean): boolean {
    const last = this.#next - 1;
    if (last < this.#written) return false;
    let gap = last;
    while (gap > this.#written && this.#isHeard[gap % slots]) gap -= 1;
    if (this.#isHeard[gap % slots] && !mayDrop) return false;
    for (let to = gap; to < last; to++) {
      const moved = this.#caller[(to + 1) % slots];
      if (moved !== undefined) this.#caller[to % slots]?.set(moved);
      this.#isHeard[to % slots] = true;
    }
    this.#isHeard[last % slots] = false;
    this.#next = last;
    return true;
  }
}

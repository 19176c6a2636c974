import { frameMs, frameSamples } from '../codec/frame.ts';
import type { FrameRecording } from './stereo-recording.ts';

/** How long frames are kept before they are written: late ones of the far end can still be put where they belong. */
const delayFrames = 10;
/** Frames that come evenly may seem early by one, where they come near the end of our own frame. */
const toleratedEarly = 1;
/**
 * The rest of a longer stall, as of a machine that was suspended, is left out of both sides: hours of silence would
 * stall the thread.
 */
const maxStallFrames = 250;
/** Ticks may lag behind the time by as much again before they are left out. */
const slots = 2 * delayFrames + 2;

/**
 * Aligns the two sides of a recording: each frame of the far end is written beside the frame that was sent when it
 * came, within 40 ms over any length of call.
 *
 * A frame is first put at the time of its arrival. When later ones come faster than time passes, the network had held
 * them back (loss, jitter, a stall), and they and what came just before are moved back over the gap in front of them.
 * Where there is no gap the oldest ones are dropped: the far end's clock is faster, or what was held back is older than
 * what has not been written yet. Silence fills what is missing.
 */
export class RecordingAligner {
  readonly #recording: FrameRecording;
  readonly #silence: Uint8Array;
  #startedAtMs: number;
  /** By the frame's number from the start of the recording, modulo the length. */
  readonly #caller: readonly Uint8Array[];
  readonly #isHeard: boolean[];
  readonly #agent: readonly Uint8Array[];
  /** The next frame to be written, and the one to be taken over from the agent. */
  #written = 0;
  #sent = 0;
  /** Where the far end's next frame goes if it follows the last one without a gap. */
  #next = 0;

  constructor(recording: FrameRecording, silence: Uint8Array, startedAtMs: number) {
    this.#recording = recording;
    this.#silence = silence;
    this.#startedAtMs = startedAtMs;
    const frames = (): Uint8Array[] => Array.from({ length: slots }, () => new Uint8Array(frameSamples));
    this.#caller = frames();
    this.#agent = frames();
    this.#isHeard = new Array<boolean>(slots).fill(false);
  }

  /** Takes a frame of the far end that comes now. Keeps a copy. */
  hear(frame: Uint8Array, nowMs: number): void {
    const now = this.#catchUp(nowMs);
    let early = this.#next - now;
    while (early > 0 && this.#moveBack(early > toleratedEarly)) early -= 1;
    const at = Math.max(this.#next, now);
    if (at - this.#written >= slots) return;
    this.#caller[at % slots]?.set(frame);
    this.#isHeard[at % slots] = true;
    this.#next = at + 1;
  }

  /** Takes the frame that is sent now. Keeps a copy. */
  send(frame: Uint8Array, nowMs: number): void {
    this.#catchUp(nowMs);
    this.#take(frame);
  }

  /** Writes what has been kept. Nothing may be taken after it. */
  flush(): void {
    while (this.#written < this.#sent) this.#write();
  }

  /** The number of the frame that is due. After a long stall ticks are left out: nothing was sent in their time. */
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
   * Moves the latest frames back by one, over the gap before them, or where they may over the oldest; false where not.
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

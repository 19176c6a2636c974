import type { Clock, Timer } from '@va/core/adapter';
import { type LegEncoding, silentFrames } from '@va/media';

const frameMs = 20;
/** Default delay of audio that arrives at an empty queue, as in the jitter buffer and network of a carrier. */
const defaultDelayMs = 100;

/** Options of the playback of a media stream. */
interface StreamPlaybackOptions {
  /** False if marks of cleared audio do not come back. Default: true. */
  readonly returnsCleared?: boolean;
  /** Delay of audio that arrives at an empty queue, in milliseconds. Default: 100. */
  readonly delayMs?: number | undefined;
  /** Encoding of the audio. Default: `pcmu`. */
  readonly encoding?: LegEncoding | undefined;
}

type Queued = { readonly frame: Uint8Array } | { readonly mark: string };

/**
 * Playback queue of a carrier's media stream: plays received audio in real time, and returns each mark when playback
 * reaches it. Most carriers return all queued marks at once when the queue is cleared.
 */
export class StreamPlayback {
  /** All frames played so far, including silence. */
  readonly played: Uint8Array[] = [];
  readonly #clock: Clock;
  readonly #onMark: (name: string) => void;
  readonly #returnsCleared: boolean;
  readonly #delayMs: number;
  #queue: Queued[] = [];
  #rest: Uint8Array = new Uint8Array(0);
  readonly #frameBytes: number;
  readonly #silence: Uint8Array;
  #nextAtMs: number;
  #timer: Timer | null = null;
  /** Time from which the queue is played; null while it is empty. */
  #playsFromMs: number | null = null;
  /** Largest number of queued frames. */
  mostQueued = 0;
  cleared = 0;

  constructor(clock: Clock, onMark: (name: string) => void, options: StreamPlaybackOptions = {}) {
    this.#clock = clock;
    this.#returnsCleared = options.returnsCleared ?? true;
    this.#delayMs = options.delayMs ?? defaultDelayMs;
    this.#onMark = onMark;
    this.#silence = silentFrames[options.encoding ?? 'pcmu'];
    this.#frameBytes = this.#silence.length;
    this.#nextAtMs = clock.nowMs();
    this.#arm();
  }

  /** Number of frames in the queue. */
  get queued(): number {
    return this.#queue.filter((each) => 'frame' in each).length;
  }

  /** Queues audio of any length. */
  push(audio: Uint8Array): void {
    const frameBytes = this.#frameBytes;
    const all = Buffer.concat([this.#rest, audio]);
    const whole = all.length - (all.length % frameBytes);
    for (let at = 0; at < whole; at += frameBytes) this.#queue.push({ frame: all.subarray(at, at + frameBytes) });
    this.#rest = all.subarray(whole);
    this.#playsFromMs ??= this.#clock.nowMs() + this.#delayMs;
    this.mostQueued = Math.max(this.mostQueued, this.queued);
  }

  mark(name: string): void {
    this.#queue.push({ mark: name });
  }

  clear(): void {
    this.cleared += 1;
    const dropped = this.#queue;
    this.#queue = [];
    this.#rest = new Uint8Array(0);
    this.#playsFromMs = null;
    if (!this.#returnsCleared) return;
    for (const each of dropped) if ('mark' in each) this.#onMark(each.mark);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #arm(): void {
    this.#timer = this.#clock.setTimer(Math.max(0, this.#nextAtMs - this.#clock.nowMs()), () => this.#tick());
  }

  #tick(): void {
    for (; this.#nextAtMs <= this.#clock.nowMs(); this.#nextAtMs += frameMs) this.#playOne();
    this.#arm();
  }

  #playOne(): void {
    if (this.#playsFromMs !== null && this.#nextAtMs < this.#playsFromMs) {
      this.played.push(this.#silence);
      return;
    }
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      this.#queue.shift();
      if ('frame' in next) {
        this.played.push(next.frame);
        this.#returnMarks();
        return;
      }
      this.#onMark(next.mark);
    }
    this.#playsFromMs = null;
    this.played.push(this.#silence);
  }

  #returnMarks(): void {
    for (let next = this.#queue[0]; next !== undefined && 'mark' in next; next = this.#queue[0]) {
      this.#queue.shift();
      this.#onMark(next.mark);
    }
  }
}

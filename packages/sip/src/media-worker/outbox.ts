import type { Clock, Logger } from '@va/core/media';
import { type Addressed, type FromWorker, frameBytes, type LegHappening, type LogLine, lostFrame } from './protocol.ts';

/** Audio that nobody waits for may wait for more of it: a message costs the service's thread as much as ten frames. */
const audioPatienceMs = 5;
const firstRoomFrames = 64;

type Post = (message: FromWorker, transfer: ArrayBuffer[]) => void;

/**
 * What a media worker has to tell, in as few messages as can be: what happens goes out when the input that is there has
 * been read, with all audio before it; audio alone a little later.
 */
export class Outbox {
  readonly #clock: Clock;
  readonly #post: Post;
  #audio = new Uint8Array(firstRoomFrames * frameBytes);
  #audioLegs = new Uint32Array(firstRoomFrames);
  #frames = 0;
  #happenings: Addressed<LegHappening>[] = [];
  #log: LogLine[] = [];
  #isDue = false;
  #isAudioDue = false;

  constructor(clock: Clock, post: Post) {
    this.#clock = clock;
    this.#post = post;
  }

  /** A copy is told; null stands for a lost frame. */
  hear(leg: number, frame: Uint8Array | null): void {
    if (this.#frames === this.#audioLegs.length) this.#grow();
    this.#audioLegs[this.#frames] = frame === null ? leg + lostFrame : leg;
    if (frame !== null) this.#audio.set(frame, this.#frames * frameBytes);
    this.#frames += 1;
    if (this.#isAudioDue || this.#isDue) return;
    this.#isAudioDue = true;
    this.#clock.setTimer(audioPatienceMs, () => {
      this.#isAudioDue = false;
      this.flush();
    });
  }

  tell(leg: number, what: LegHappening): void {
    this.#happenings.push({ leg, what });
    this.#flushSoon();
  }

  /** Of a thread that cannot write its own. */
  get logger(): Logger {
    const at = (level: LogLine['level'], bindings: Record<string, unknown>) => {
      return (fields: Record<string, unknown>, message: string): void => {
        this.#log.push({ level, fields: { ...bindings, ...fields }, message });
        this.#flushSoon();
      };
    };
    const bound = (bindings: Record<string, unknown>): Logger => ({
      debug: at('debug', bindings),
      info: at('info', bindings),
      warn: at('warn', bindings),
      error: at('error', bindings),
      child: (more) => bound({ ...bindings, ...more }),
    });
    return bound({});
  }

  flush(): void {
    if (this.#frames === 0 && this.#happenings.length === 0 && this.#log.length === 0) return;
    const audio = this.#audio.slice(0, this.#frames * frameBytes);
    const audioLegs = this.#audioLegs.slice(0, this.#frames);
    const message = { audio, audioLegs, happenings: this.#happenings, log: this.#log };
    this.#frames = 0;
    this.#happenings = [];
    this.#log = [];
    this.#post(message, [audio.buffer, audioLegs.buffer, ...recordedBy(message.happenings)]);
  }

  #flushSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const flush = (): void => {
      this.#isDue = false;
      this.flush();
    };
    if (this.#clock.afterInput === undefined) flush();
    else this.#clock.afterInput(flush);
  }

  #grow(): void {
    const audio = new Uint8Array(2 * this.#audio.length);
    const audioLegs = new Uint32Array(2 * this.#audioLegs.length);
    audio.set(this.#audio);
    audioLegs.set(this.#audioLegs);
    this.#audio = audio;
    this.#audioLegs = audioLegs;
  }
}

/** What is told of recordings is made for that, and handed over. */
function recordedBy(happenings: FromWorker['happenings']): ArrayBuffer[] {
  return happenings.flatMap(({ what }) => {
    if (what.type !== 'media' || what.happening.type !== 'recorded') return [];
    const { buffer } = what.happening.frames;
    return buffer instanceof ArrayBuffer ? [buffer] : [];
  });
}

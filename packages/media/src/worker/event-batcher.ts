import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { type Addressed, type FromWorker, frameBytes, type LegHappening, type LogLine, lostFrame } from './protocol.ts';
import { FrameWriter } from './shared-frames.ts';

/** Audio that nobody waits for may wait for more of it: a message costs the service's thread as much as ten frames. */
const audioPatienceMs = 5;
/**
 * What five hundred calls say in 10 ms; a service that reads less often is given more. Few stay in the processor's
 * cache.
 */
const firstPlaces = 256;

type Post = (message: FromWorker) => void;

/**
 * What a media worker has to tell, in as few messages as can be: what happens goes out when the input that is there has
 * been read, with all audio before it; audio alone a little later.
 */
export class Outbox {
  readonly #clock: Clock;
  readonly #post: Post;
  readonly #audio = new FrameWriter(firstPlaces, frameBytes);
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
    if (this.#audio.isFull) {
      this.flush();
      this.#audio.grow();
    }
    if (frame === null) this.#audio.write(leg + lostFrame);
    else this.#audio.write(leg, frame);
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
    if (this.#audio.untold === 0 && this.#happenings.length === 0 && this.#log.length === 0) return;
    const message = { audio: this.#audio.news(), happenings: this.#happenings, log: this.#log };
    this.#happenings = [];
    this.#log = [];
    this.#post(message);
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
}

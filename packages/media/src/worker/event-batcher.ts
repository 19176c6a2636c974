import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import {
  frameBytes,
  type LogLine,
  lostFrame,
  type MediaWorkerBatch,
  type MediaWorkerEvent,
  wideFrameBytes,
} from './messages.ts';
import { FrameWriter } from './shared-frames.ts';

/** Maximum delay of audio without events: a message costs the main thread as much as ten frames. */
const audioDelayMs = 5;
/**
 * Room for the frames of five hundred calls in 10 ms; the memory grows if the main thread reads less often. Small
 * memory stays in the processor's cache.
 */
const initialPlaces = 256;
const initialWidePlaces = 64;

type PostBatch = (message: MediaWorkerBatch) => void;

/**
 * Batches the output of a media worker into few messages. Events are posted after all pending input was read, together
 * with the audio before them. Audio, levels and recorded frames are posted within 5 ms if no other event is.
 */
export class EventBatcher {
  readonly #clock: Clock;
  readonly #post: PostBatch;
  readonly #audio = new FrameWriter(initialPlaces, frameBytes);
  /** Created for the first 16 kHz frame. */
  #wideAudio: FrameWriter | null = null;
  #events: MediaWorkerEvent[] = [];
  #log: LogLine[] = [];
  #isDue = false;
  #isAudioDue = false;

  constructor(clock: Clock, post: PostBatch) {
    this.#clock = clock;
    this.#post = post;
  }

  /**
   * Copies the frame; null stands for a lost one.
   * @param bytes length of the leg's frames
   */
  emitFrame(leg: number, frame: Uint8Array | null, bytes: number): void {
    const audio = bytes === wideFrameBytes ? this.#wide() : this.#audio;
    if (audio.isFull) {
      this.flush();
      audio.grow();
    }
    if (frame === null) audio.write(leg + lostFrame);
    else audio.write(leg, frame);
    this.#flushWithAudio();
  }

  emit(event: MediaWorkerEvent): void {
    this.#events.push(event);
    if (mayBeDelayed(event)) this.#flushWithAudio();
    else this.#flushSoon();
  }

  /** Logger of a thread that cannot write its own log. */
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
    const wide = this.#wideAudio?.pending ?? 0;
    if (this.#audio.pending + wide === 0 && this.#events.length === 0 && this.#log.length === 0) return;
    const message: MediaWorkerBatch = { audio: this.#audio.takeBatch(), events: this.#events, log: this.#log };
    this.#events = [];
    this.#log = [];
    this.#post(
      wide === 0 || this.#wideAudio === null ? message : { ...message, wideAudio: this.#wideAudio.takeBatch() },
    );
  }

  #wide(): FrameWriter {
    this.#wideAudio ??= new FrameWriter(initialWidePlaces, wideFrameBytes);
    return this.#wideAudio;
  }

  #flushWithAudio(): void {
    if (this.#isAudioDue || this.#isDue) return;
    this.#isAudioDue = true;
    this.#clock.setTimer(audioDelayMs, () => {
      this.#isAudioDue = false;
      this.flush();
    });
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

/** Returns true for an event that may be posted later, because no decision depends on it. */
function mayBeDelayed(event: MediaWorkerEvent): boolean {
  return event.type === 'recorded' || (event.type === 'plane' && event.event.type === 'levels');
}

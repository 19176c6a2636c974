import { HeardMeter } from './heard-meter.ts';
import { type CutOff, durationMs, type PlayoutEvent } from './playout.ts';

/** What the thread that plays is to do. `generation` counts the clears before it. */
export type PlayoutCommand =
  | { type: 'open'; utterance: number }
  | { type: 'play'; utterance: number; audio: Uint8Array }
  | { type: 'finish'; utterance: number }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'clear'; generation: number };

interface Utterance {
  readonly id: number;
  /** What was given of it so far. */
  samples: number;
  started: boolean;
  finished: boolean;
}

/**
 * The playout of another thread, as exact as one of this: what it has played is read from the meter when it is cut off,
 * and what it told meanwhile is not told again. Nothing queued leaves after `clear`, and nothing is told during a pause.
 */
export class DistantPlayout {
  readonly #meter: HeardMeter;
  readonly #post: (command: PlayoutCommand) => void;
  readonly #onEvent: (event: PlayoutEvent, atMs: number) => void;
  #queue: Utterance[] = [];
  #generation = 0;
  /** The meter's reading at the end of the last utterance that was played whole. */
  #accounted = 0;
  #paused = false;
  #held: { readonly event: PlayoutEvent; readonly atMs: number }[] = [];

  constructor(
    meter: HeardMeter,
    post: (command: PlayoutCommand) => void,
    onEvent: (event: PlayoutEvent, atMs: number) => void,
  ) {
    this.#meter = meter;
    this.#post = post;
    this.#onEvent = onEvent;
  }

  open(utterance: number): void {
    this.#queue.push({ id: utterance, samples: 0, started: false, finished: false });
    this.#post({ type: 'open', utterance });
  }

  /** Audio of one byte a sample; it is the caller's again when this returns. */
  play(utterance: number, audio: Uint8Array): void {
    const target = this.#find(utterance);
    if (target === undefined || target.finished) return;
    target.samples += audio.length;
    this.#post({ type: 'play', utterance, audio: new Uint8Array(audio) });
  }

  finish(utterance: number): void {
    const target = this.#find(utterance);
    if (target === undefined || target.finished) return;
    target.finished = true;
    this.#post({ type: 'finish', utterance });
  }

  pause(): void {
    this.#paused = true;
    this.#post({ type: 'pause' });
  }

  resume(): void {
    this.#paused = false;
    this.#post({ type: 'resume' });
    const held = this.#held;
    this.#held = [];
    for (const { event, atMs } of held) this.#tell(event, atMs);
  }

  /** Cuts off all that has not been played. First tells what was played before that and not told yet. */
  clear(nowMs: number): CutOff[] {
    const wasPaused = this.#paused;
    let heard = HeardMeter.between(this.#accounted, this.#meter.cut());
    const queue = this.#queue;
    this.#queue = [];
    this.#held = [];
    this.#paused = false;
    this.#accounted = 0;
    this.#generation += 1;
    this.#post({ type: 'clear', generation: this.#generation });
    const cut: CutOff[] = [];
    for (const { id, samples, started, finished } of queue) {
      const played = Math.min(heard, samples);
      heard -= played;
      if (played > 0 && !started) this.#onEvent({ type: 'started', utterance: id }, nowMs);
      const playedMs = durationMs(played);
      const isWhole = finished && played === samples && cut.length === 0 && !wasPaused;
      if (isWhole) this.#onEvent({ type: 'finished', utterance: id, playedMs }, nowMs);
      else cut.push({ utterance: id, playedMs });
    }
    return cut;
  }

  /** What the other thread tells; of an earlier generation it is known already. */
  told(event: PlayoutEvent, generation: number, atMs: number): void {
    if (generation !== this.#generation) return;
    if (this.#paused) this.#held.push({ event, atMs });
    else this.#tell(event, atMs);
  }

  #tell(event: PlayoutEvent, atMs: number): void {
    const head = this.#find(event.utterance);
    if (head === undefined) return;
    if (event.type === 'started') head.started = true;
    else {
      this.#queue = this.#queue.filter((each) => each !== head);
      this.#accounted += head.samples;
    }
    this.#onEvent(event, atMs);
  }

  #find(utterance: number): Utterance | undefined {
    return this.#queue.find(({ id }) => id === utterance);
  }
}

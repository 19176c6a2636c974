import { type CutOff, durationMs, type PlayoutEvent } from '../playout/playout.ts';
import { HeardMeter } from './heard-meter.ts';
import type { PlayoutCommand } from './messages.ts';

interface Utterance {
  readonly id: number;
  /** What was given of it so far. */
  samples: number;
  finished: boolean;
}

/**
 * The playout of another thread, as exact as one of this: what it has played is read from the meter when it is cut off,
 * whatever it has told by then. Nothing queued leaves after `clear`, and nothing is told during a pause.
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
    this.#queue.push({ id: utterance, samples: 0, finished: false });
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
    this.#meter.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#meter.resume();
    const held = this.#held;
    this.#held = [];
    for (const { event, atMs } of held) this.#tell(event, atMs);
  }

  /** Drops all that has not been played, and says how far each utterance got. Ends a pause. */
  clear(): CutOff[] {
    let heard = HeardMeter.between(this.#accounted, this.#meter.cut());
    const cut = this.#queue.map(({ id, samples }) => {
      const played = Math.min(heard, samples);
      heard -= played;
      return { utterance: id, playedMs: durationMs(played) };
    });
    this.#queue = [];
    this.#held = [];
    this.#paused = false;
    this.#accounted = 0;
    this.#generation += 1;
    this.#post({ type: 'clear', generation: this.#generation });
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
    if (event.type === 'finished') {
      this.#queue = this.#queue.filter((each) => each !== head);
      this.#accounted += head.samples;
    }
    this.#onEvent(event, atMs);
  }

  #find(utterance: number): Utterance | undefined {
    return this.#queue.find(({ id }) => id === utterance);
  }
}

import { frameSamples, sampleRateHz } from '../codec/frame.ts';
import { AudioQueue } from './audio-queue.ts';

interface Utterance {
  readonly id: number;
  /** What has not been taken of it. */
  readonly queued: AudioQueue;
  /** Samples of it that were taken. */
  heard: number;
  finished: boolean;
}

export type PlayoutEvent =
  | { type: 'started'; utterance: number }
  | { type: 'finished'; utterance: number; playedMs: number };

/** How far an utterance had been played when it was cut off. */
export interface CutOff {
  readonly utterance: number;
  readonly playedMs: number;
}

/** Asked before a frame is taken, which holds so many samples of the utterance; false where it may no longer be. */
export type ClaimFrame = (samples: number) => boolean;

const always: ClaimFrame = () => true;

export function durationMs(samples: number): number {
  return (samples * 1_000) / sampleRateHz;
}

/** Used by all calls of the thread in turn, so that it stays in the processor's cache. */
const taken = new Uint8Array(frameSamples);

/**
 * The queue of what the caller is going to hear, and the only truth of what was heard: an utterance has been played as
 * far as its frames were taken. Utterances play in the order in which they were opened; audio of one that was cut off
 * or never opened is dropped.
 */
export class Playout {
  readonly #silence: number;
  readonly #onEvent: (event: PlayoutEvent) => void;
  readonly #claim: ClaimFrame;
  #queue: Utterance[] = [];
  #paused = false;

  /** @param silence the code of a silent sample, which fills the last frame of an utterance. */
  constructor(silence: number, onEvent: (event: PlayoutEvent) => void, claim: ClaimFrame = always) {
    this.#silence = silence;
    this.#onEvent = onEvent;
    this.#claim = claim;
  }

  open(utterance: number): void {
    this.#queue.push({ id: utterance, queued: new AudioQueue(), heard: 0, finished: false });
  }

  /** Adds audio of any length, in the leg's own encoding; it is the caller's again when this returns. */
  play(utterance: number, audio: Uint8Array): void {
    const target = this.#find(utterance);
    if (target !== undefined && !target.finished) target.queued.push(audio);
  }

  /** No more audio will come for the utterance. */
  finish(utterance: number): void {
    const target = this.#find(utterance);
    if (target === undefined || target.finished) return;
    target.finished = true;
    this.#retire();
  }

  /** Nothing is taken until `resume`; what is queued stays, and more may come. Idempotent. */
  pause(): void {
    this.#paused = true;
  }

  /** Goes on with the frame that would have been next. Idempotent. */
  resume(): void {
    this.#paused = false;
    this.#retire();
  }

  /** Drops all that has not been played, and says how far each utterance got. Ends a pause. */
  clear(): CutOff[] {
    this.#paused = false;
    const cut = this.#queue.map(({ id, heard }) => ({ utterance: id, playedMs: durationMs(heard) }));
    for (const { queued } of this.#queue) queued.clear();
    this.#queue = [];
    return cut;
  }

  /**
   * The frame to send on this tick, good until another is taken in any call of the thread, or null when the agent is
   * silent.
   */
  take(): Uint8Array | null {
    if (this.#paused) return null;
    const current = this.#queue[0];
    if (current === undefined) return null;
    const samples = samplesOfNext(current);
    if (samples === 0 || !this.#claim(samples)) return null;
    const isFirst = current.heard === 0;
    this.#fill(current, samples);
    if (isFirst) this.#onEvent({ type: 'started', utterance: current.id });
    this.#retire();
    return taken;
  }

  #fill(utterance: Utterance, samples: number): void {
    utterance.queued.take(taken, samples);
    if (samples < frameSamples) taken.fill(this.#silence, samples);
    utterance.heard += samples;
  }

  #find(utterance: number): Utterance | undefined {
    return this.#queue.find(({ id }) => id === utterance);
  }

  /** An utterance whose end comes during a pause is finished when the pause is over. */
  #retire(): void {
    if (this.#paused) return;
    for (let head = this.#queue[0]; head?.finished && head.queued.length === 0; head = this.#queue[0]) {
      this.#queue.shift();
      this.#onEvent({ type: 'finished', utterance: head.id, playedMs: durationMs(head.heard) });
    }
  }
}

/**
 * How many samples the next frame holds; 0 where there is none yet. What comes next of one that has begun may be late:
 * what is there of it is not to wait for it.
 */
function samplesOfNext({ queued, heard, finished }: Utterance): number {
  return queued.length >= frameSamples ? frameSamples : finished || heard > 0 ? queued.length : 0;
}

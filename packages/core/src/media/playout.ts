import { frameSamples, sampleRateHz } from './frame.ts';

interface Utterance {
  readonly id: number;
  /** Whole frames, and the bytes of one that is not full yet. */
  readonly frames: Uint8Array[];
  rest: Uint8Array;
  next: number;
  /** Of the last frame's bytes, those that only fill it up. */
  filling: number;
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

const empty = new Uint8Array(0);
const always: ClaimFrame = () => true;

export function durationMs(samples: number): number {
  return (samples * 1_000) / sampleRateHz;
}

/**
 * The queue of what the caller is going to hear, and the only truth of what was heard: an utterance has been played as
 * far as its frames were taken. Utterances play in the order in which they were opened; audio of one that was cut off or
 * never opened is dropped.
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
    this.#queue.push({ id: utterance, frames: [], rest: empty, next: 0, filling: 0, heard: 0, finished: false });
  }

  /** Adds audio of any length, in the leg's own encoding. */
  play(utterance: number, audio: Uint8Array): void {
    const target = this.#find(utterance);
    if (target === undefined || target.finished) return;
    // A copy: a provider may reuse its buffer.
    const bytes = new Uint8Array(target.rest.length + audio.length);
    bytes.set(target.rest);
    bytes.set(audio, target.rest.length);
    let offset = 0;
    for (; offset + frameSamples <= bytes.length; offset += frameSamples) {
      target.frames.push(bytes.subarray(offset, offset + frameSamples));
    }
    target.rest = bytes.subarray(offset);
    if (offset > 0) target.filling = 0;
  }

  /** No more audio will come for the utterance. */
  finish(utterance: number): void {
    const target = this.#find(utterance);
    if (target === undefined || target.finished) return;
    this.#fillUp(target);
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
    this.#queue = [];
    return cut;
  }

  /** The frame to send on this tick, or null when the agent is silent. */
  take(): Uint8Array | null {
    if (this.#paused) return null;
    const current = this.#queue[0];
    if (current === undefined) return null;
    const samples = this.#nextSamples(current);
    if (samples === 0 || !this.#claim(samples)) return null;
    // What comes next is late: what is there of it is not to wait for it.
    if (current.next === current.frames.length) this.#fillUp(current);
    const frame = current.frames[current.next];
    if (frame === undefined) return null;
    current.next += 1;
    current.heard += samples;
    if (current.next === 1) this.#onEvent({ type: 'started', utterance: current.id });
    this.#retire();
    return frame;
  }

  /** How many samples of the utterance the next frame holds; 0 where there is none yet. */
  #nextSamples({ frames, next, filling, rest }: Utterance): number {
    if (next === frames.length) return next > 0 ? rest.length : 0;
    return next === frames.length - 1 ? frameSamples - filling : frameSamples;
  }

  /** Makes a frame of what is no whole one. */
  #fillUp(utterance: Utterance): void {
    const { rest } = utterance;
    if (rest.length === 0) return;
    const last = new Uint8Array(frameSamples).fill(this.#silence);
    last.set(rest);
    utterance.frames.push(last);
    utterance.filling = frameSamples - rest.length;
    utterance.rest = empty;
  }

  #find(utterance: number): Utterance | undefined {
    return this.#queue.find(({ id }) => id === utterance);
  }

  /** An utterance whose end comes during a pause is finished when the pause is over. */
  #retire(): void {
    if (this.#paused) return;
    for (let head = this.#queue[0]; head?.finished && head.next === head.frames.length; head = this.#queue[0]) {
      this.#queue.shift();
      this.#onEvent({ type: 'finished', utterance: head.id, playedMs: durationMs(head.heard) });
    }
  }
}

import { type LegAudio, type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import { AudioQueue } from './audio-queue.ts';

interface QueuedUtterance {
  readonly id: number;
  /** Queued audio. */
  readonly queued: AudioQueue;
  /** Bytes taken so far. */
  heard: number;
  finished: boolean;
}

export type PlayoutEvent =
  | { type: 'started'; utterance: number }
  | { type: 'finished'; utterance: number; playedMs: number };

/** Playback position of an utterance when it was cleared. */
export interface CutOff {
  readonly utterance: number;
  readonly playedMs: number;
}

/** Called before a frame with this many samples of the utterance is taken. Returns false if it must not be played. */
export type ClaimFrame = (samples: number) => boolean;

const always: ClaimFrame = () => true;

/** Buffers of taken frames, shared by all calls of the thread, so that they stay in the processor's cache. */
const takenNarrow = new Uint8Array(legAudio.pcmu.frameBytes);
const takenWide = new Uint8Array(legAudio.pcm16.frameBytes);

/**
 * Queue of the audio to be played, and the only record of what was heard: an utterance has been played as far as its
 * frames were taken. Utterances play in the order in which they were opened; audio of cleared or unknown utterances is
 * dropped.
 */
export class Playout {
  readonly #audio: LegAudio;
  readonly #taken: Uint8Array;
  readonly #onEvent: (event: PlayoutEvent) => void;
  readonly #claim: ClaimFrame;
  #queue: QueuedUtterance[] = [];
  #paused = false;

  /** @param encoding of the leg; silence pads the last frame of an utterance */
  constructor(encoding: LegEncoding, onEvent: (event: PlayoutEvent) => void, claim: ClaimFrame = always) {
    this.#audio = legAudio[encoding];
    this.#taken = encoding === 'pcm16' ? takenWide : takenNarrow;
    this.#onEvent = onEvent;
    this.#claim = claim;
  }

  open(utterance: number): void {
    this.#queue.push({ id: utterance, queued: new AudioQueue(), heard: 0, finished: false });
  }

  /** Appends audio of any length in the leg's encoding. The buffer may be reused afterwards. */
  play(utterance: number, audio: Uint8Array): void {
    const target = this.#find(utterance);
    if (target !== undefined && !target.finished) target.queued.push(audio);
  }

  /** Marks the utterance as complete. */
  finish(utterance: number): void {
    const target = this.#find(utterance);
    if (target === undefined || target.finished) return;
    target.finished = true;
    this.#retire();
  }

  /** Stops taking frames until `resume`; queued audio stays, and more may be added. Idempotent. */
  pause(): void {
    this.#paused = true;
  }

  /** Continues with the frame that would have been next. Idempotent. */
  resume(): void {
    this.#paused = false;
    this.#retire();
  }

  /**
   * Drops all unplayed audio and returns the position of each utterance. Ends a pause.
   *
   * @param unplayedMs audio of the current utterance that was taken, but not played by the far end
   */
  clear(unplayedMs = 0): CutOff[] {
    this.#paused = false;
    const cut = this.#queue.map(({ id, heard }) => ({
      utterance: id,
      playedMs: Math.max(0, heard / this.#audio.bytesPerMs - unplayedMs),
    }));
    for (const { queued } of this.#queue) queued.clear();
    this.#queue = [];
    return cut;
  }

  /**
   * Returns the frame to send on this tick, valid until the next call of `take` by any playout of the thread; null
   * while the agent is silent or paused.
   */
  take(): Uint8Array | null {
    if (this.#paused) return null;
    const current = this.#queue[0];
    if (current === undefined) return null;
    const { frameBytes, bytesPerSample } = this.#audio;
    const bytes = bytesOfNext(current, frameBytes);
    if (bytes === 0 || !this.#claim(bytes / bytesPerSample)) return null;
    const isFirst = current.heard === 0;
    this.#fill(current, bytes);
    if (isFirst) this.#onEvent({ type: 'started', utterance: current.id });
    this.#retire();
    return this.#taken;
  }

  #fill(utterance: QueuedUtterance, bytes: number): void {
    const { frameBytes, silence } = this.#audio;
    utterance.queued.take(this.#taken, bytes);
    if (bytes < frameBytes) this.#taken.fill(silence, bytes);
    utterance.heard += bytes;
  }

  #find(utterance: number): QueuedUtterance | undefined {
    return this.#queue.find(({ id }) => id === utterance);
  }

  /**
   * Removes utterances that were played completely. One that is completed during a pause finishes at the end of the
   * pause.
   */
  #retire(): void {
    if (this.#paused) return;
    for (let head = this.#queue[0]; head?.finished && head.queued.length === 0; head = this.#queue[0]) {
      this.#queue.shift();
      this.#onEvent({ type: 'finished', utterance: head.id, playedMs: head.heard / this.#audio.bytesPerMs });
    }
  }
}

/**
 * Returns the number of bytes in the next frame; 0 if there is none yet. An utterance that has begun is played even
 * if less than a frame is queued, because more may arrive late.
 */
function bytesOfNext({ queued, heard, finished }: QueuedUtterance, frameBytes: number): number {
  return queued.length >= frameBytes ? frameBytes : finished || heard > 0 ? queued.length : 0;
}

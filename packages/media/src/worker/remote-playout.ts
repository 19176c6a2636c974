import { type LegAudio, type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import type { CutOff, PlayoutEvent } from '../playout/playout.ts';
import { HeardMeter } from './heard-meter.ts';

interface SentUtterance {
  readonly id: number;
  /** Samples sent so far. */
  samples: number;
  isFinished: boolean;
}

/**
 * Attributes what the worker has played to utterances. Playout is accounted in the worker alone, by a counter in shared
 * memory (`HeardMeter`). This class knows only the length of what was sent, to split the counter's value: `clear` must
 * return at once how far each utterance got, although events of the worker may be under way.
 */
export class RemotePlayout {
  readonly #audio: LegAudio;
  readonly #meter: HeardMeter;
  readonly #onEvent: (event: PlayoutEvent, atMs: number) => void;
  #queue: SentUtterance[] = [];
  #generation = 0;
  /** The meter's value at the end of the last utterance that was played completely. */
  #finishedSamples = 0;
  #paused = false;
  #held: { readonly event: PlayoutEvent; readonly atMs: number }[] = [];

  constructor(encoding: LegEncoding, meter: HeardMeter, onEvent: (event: PlayoutEvent, atMs: number) => void) {
    this.#audio = legAudio[encoding];
    this.#meter = meter;
    this.#onEvent = onEvent;
  }

  open(utterance: number): void {
    this.#queue.push({ id: utterance, samples: 0, isFinished: false });
  }

  /** Counts audio to be sent for an utterance. Returns false if it is finished or was cleared. */
  take(utterance: number, audioBytes: number): boolean {
    const target = this.#find(utterance);
    if (target === undefined || target.isFinished) return false;
    target.samples += audioBytes / this.#audio.bytesPerSample;
    return true;
  }

  finish(utterance: number): void {
    const target = this.#find(utterance);
    if (target !== undefined) target.isFinished = true;
  }

  pause(): void {
    this.#paused = true;
    this.#meter.pause();
  }

  /** Ends a pause, and emits the events held back in it. */
  resume(): void {
    this.#paused = false;
    this.#meter.resume();
    const held = this.#held;
    this.#held = [];
    for (const { event, atMs } of held) this.#emit(event, atMs);
  }

  /**
   * Discards all audio that has not been played, so that none of it is sent afterwards, and returns the position of
   * each utterance. Ends a pause.
   */
  clear(): { readonly generation: number; readonly cut: CutOff[] } {
    let heard = HeardMeter.between(this.#finishedSamples, this.#meter.cut());
    const cut = this.#queue.map(({ id, samples }) => {
      const played = Math.min(heard, samples);
      heard -= played;
      return { utterance: id, playedMs: (played * 1_000) / this.#audio.sampleRateHz };
    });
    this.#queue = [];
    this.#held = [];
    this.#paused = false;
    this.#finishedSamples = 0;
    this.#generation += 1;
    return { generation: this.#generation, cut };
  }

  /** Takes an event of the worker. Events of an earlier generation are obsolete: `clear` has reported their result. */
  onWorkerEvent(event: PlayoutEvent, generation: number, atMs: number): void {
    if (generation !== this.#generation) return;
    if (this.#paused) this.#held.push({ event, atMs });
    else this.#emit(event, atMs);
  }

  #emit(event: PlayoutEvent, atMs: number): void {
    const head = this.#find(event.utterance);
    if (head === undefined) return;
    if (event.type === 'finished') {
      this.#queue = this.#queue.filter((each) => each !== head);
      this.#finishedSamples += head.samples;
    }
    this.#onEvent(event, atMs);
  }

  #find(utterance: number): SentUtterance | undefined {
    return this.#queue.find(({ id }) => id === utterance);
  }
}

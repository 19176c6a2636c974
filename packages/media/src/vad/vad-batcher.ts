import type { Clock } from '../runtime/clock.ts';
import { toError } from '../runtime/errors.ts';
import type { VoiceActivityDetector, VoiceActivityStream } from './voice-activity.ts';

export interface WindowListener {
  /** `atMs` is the time given to `push` with the last samples of the window. */
  judged(probability: number, atMs: number): void;
  failed(error: Error): void;
}

/** Maximum windows per batch. A batch takes about half a millisecond; frames that are due wait no longer. */
const maxBatchWindows = 16;

/**
 * Runs voice activity detection for all calls of a thread. Windows that are complete in one turn of the event loop are
 * computed together at its end, if the detector and the clock support that: a hundred calls read the network's weights
 * a few times instead of a hundred, and no call's frames wait for another call's network.
 */
export class VadBatcher {
  readonly detector: VoiceActivityDetector;
  readonly #clock: Clock;
  readonly #runDueTicks: () => void;
  readonly #waiting: BatchedVadStream[] = [];
  #isFlushDue = false;

  /** @param runDueTicks called between batches, so that nothing else waits for all of them (`Ticker.runDueTicks`) */
  constructor(detector: VoiceActivityDetector, clock: Clock, runDueTicks: () => void = () => {}) {
    this.detector = detector;
    this.#clock = clock;
    this.#runDueTicks = runDueTicks;
  }

  get windowSamples(): number {
    return this.detector.windowSamples;
  }

  open(listener: WindowListener): BatchedVadStream {
    return new BatchedVadStream(this, this.detector.createStream(), this.detector.windowSamples, listener);
  }

  /** @throws errors of the detector, if it is called synchronously */
  ask(asking: BatchedVadStream): void {
    if (this.detector.judge === undefined || this.#clock.afterInput === undefined) {
      asking.onProbability(asking.stream.probability(asking.window));
      return;
    }
    this.#waiting.push(asking);
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    this.#clock.afterInput(() => {
      this.#isFlushDue = false;
      while (this.#waiting.length > 0) {
        this.flush(maxBatchWindows);
        this.#runDueTicks();
      }
    });
  }

  /** Computes all waiting windows, or the first ones up to a number. */
  flush(most: number = Number.POSITIVE_INFINITY): void {
    const batch = this.#waiting.splice(0, most);
    if (batch.length === 0) return;
    const probabilities = new Float64Array(batch.length);
    try {
      const streams = batch.map(({ stream }) => stream);
      const windows = batch.map(({ window }) => window);
      this.detector.judge?.(streams, windows, probabilities);
    } catch {
      // One of the windows failed. Computed one by one, only its stream fails.
      for (const asking of batch) asking.judgeAlone();
      return;
    }
    for (const [i, asking] of batch.entries()) asking.onProbability(probabilities[i] as number);
  }
}

/** Windows of one call, computed in order. */
export class BatchedVadStream {
  readonly #judge: VadBatcher;
  readonly #listener: WindowListener;
  readonly stream: VoiceActivityStream;
  #filling: Int16Array;
  /** The window that is being computed; the next one is filled meanwhile. */
  window: Int16Array;
  #filled = 0;
  #atMs = 0;
  #isWaiting = false;
  #isClosed = false;

  constructor(judge: VadBatcher, stream: VoiceActivityStream, windowSamples: number, listener: WindowListener) {
    this.#judge = judge;
    this.#listener = listener;
    this.stream = stream;
    this.#filling = new Int16Array(windowSamples);
    this.window = new Int16Array(windowSamples);
  }

  /** Takes samples received at `atMs`. */
  push(samples: Int16Array, atMs: number): void {
    for (let offset = 0; offset < samples.length; ) {
      const room = this.#filling.length - this.#filled;
      const isWhole = offset === 0 && samples.length <= room;
      const part = isWhole ? samples : samples.subarray(offset, offset + room);
      this.#filling.set(part, this.#filled);
      this.#filled += part.length;
      offset += part.length;
      if (this.#filled === this.#filling.length) this.#ask(atMs);
    }
  }

  /** Reduces the weight of past audio. */
  forget(): void {
    this.stream.forget?.();
  }

  /** Discards the result of the window that is being computed. */
  close(): void {
    this.#isClosed = true;
  }

  onProbability(probability: number): void {
    this.#isWaiting = false;
    if (this.#isClosed) return;
    try {
      this.#listener.judged(probability, this.#atMs);
    } catch (thrown) {
      this.#listener.failed(toError(thrown));
    }
  }

  judgeAlone(): void {
    try {
      this.onProbability(this.stream.probability(this.window));
    } catch (thrown) {
      this.#isWaiting = false;
      if (!this.#isClosed) this.#listener.failed(toError(thrown));
    }
  }

  #ask(atMs: number): void {
    // After a burst of frames, a second window is complete before the first is computed.
    if (this.#isWaiting) this.#judge.flush();
    [this.#filling, this.window] = [this.window, this.#filling];
    this.#filled = 0;
    this.#atMs = atMs;
    this.#isWaiting = true;
    this.#judge.ask(this);
  }
}

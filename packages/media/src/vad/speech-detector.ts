import { sampleRateHz } from '../codec/frame.ts';
import type { JudgedStream, VadBatcher } from './vad-batcher.ts';
import type { VadSettings } from './vad-settings.ts';

export type SpeechEvent =
  /** Speech has lasted long enough to count; `onsetAtMs` is when it began. */
  | { type: 'speech-started'; onsetAtMs: number }
  /** A silent window within speech, the first of a pause that may become its end; `lastSpeechAtMs` as below. */
  | { type: 'speech-paused'; lastSpeechAtMs: number }
  | { type: 'speech-resumed' }
  /** `lastSpeechAtMs` is when its last window was heard. */
  | { type: 'speech-ended'; lastSpeechAtMs: number };

/**
 * From here on a silence is forgotten bit by bit. Else the network, in seconds of it, grows so sure of it that it does
 * not hear one word in ten said after it on a quiet line, and one in three over noise.
 */
const longSilenceMs = 500;

/** Turns the probabilities of windows into the start and end of speech, with hysteresis. */
export class SpeechDetector {
  readonly #settings: VadSettings;
  readonly #stream: JudgedStream;
  readonly #windowMs: number;
  readonly #onEvent: (event: SpeechEvent) => void;
  #speaking = false;
  #speechMs = 0;
  #silenceMs = 0;
  #quietMs = 0;
  #onsetAtMs = 0;
  #lastSpeechAtMs = 0;

  /** `onFailure` is told when the detector fails, where it does not do so within `push`. */
  constructor(
    judge: VadBatcher,
    settings: VadSettings,
    onEvent: (event: SpeechEvent) => void,
    onFailure: (error: Error) => void,
  ) {
    this.#settings = settings;
    this.#windowMs = (judge.windowSamples * 1_000) / sampleRateHz;
    this.#onEvent = onEvent;
    this.#stream = judge.open({
      judged: (probability, atMs) => this.#judge(probability, atMs),
      failed: onFailure,
    });
  }

  /** Whether speech is going on or may just be beginning: the silence of a lost stream then has to be filled in. */
  get active(): boolean {
    return this.#speaking || this.#speechMs > 0;
  }

  /** Takes samples that were heard at `atMs`. */
  push(samples: Int16Array, atMs: number): void {
    this.#stream.push(samples, atMs);
  }

  /** No event comes after this. */
  stop(): void {
    this.#stream.close();
  }

  #judge(probability: number, atMs: number): void {
    const threshold = this.#speaking ? this.#settings.end_threshold : this.#settings.start_threshold;
    if (probability >= threshold) this.#speech(atMs);
    else this.#silence();
  }

  #speech(atMs: number): void {
    if (this.#speechMs === 0) this.#onsetAtMs = atMs - this.#windowMs;
    this.#speechMs += this.#windowMs;
    if (this.#silenceMs > 0) this.#onEvent({ type: 'speech-resumed' });
    this.#silenceMs = 0;
    this.#quietMs = 0;
    this.#lastSpeechAtMs = atMs;
    if (this.#speaking || this.#speechMs < this.#settings.min_speech_ms) return;
    this.#speaking = true;
    this.#onEvent({ type: 'speech-started', onsetAtMs: this.#onsetAtMs });
  }

  #silence(): void {
    if (!this.#speaking) {
      this.#speechMs = 0;
      this.#quietMs += this.#windowMs;
      if (this.#quietMs > longSilenceMs) this.#stream.forget();
      return;
    }
    if (this.#silenceMs === 0) this.#onEvent({ type: 'speech-paused', lastSpeechAtMs: this.#lastSpeechAtMs });
    this.#silenceMs += this.#windowMs;
    if (this.#silenceMs < this.#settings.min_silence_ms) return;
    this.#speaking = false;
    this.#speechMs = 0;
    this.#silenceMs = 0;
    this.#onEvent({ type: 'speech-ended', lastSpeechAtMs: this.#lastSpeechAtMs });
  }
}

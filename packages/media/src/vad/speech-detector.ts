import { sampleRateHz } from '../codec/frame.ts';
import type { JudgedStream, VadBatcher } from './vad-batcher.ts';
import type { VadSettings } from './vad-settings.ts';

export type SpeechEvent =
  /** Speech has lasted long enough to count; `onsetAtMs` is its start. */
  | { type: 'speech-started'; onsetAtMs: number }
  /** First silent window within speech, which may become its end; for `lastSpeechAtMs` see below. */
  | { type: 'speech-paused'; lastSpeechAtMs: number }
  | { type: 'speech-resumed' }
  /** `lastSpeechAtMs` is the time of its last window. */
  | { type: 'speech-ended'; lastSpeechAtMs: number };

/**
 * Duration of silence after which the network's memory is reduced step by step. Otherwise, after seconds of silence, it
 * misses one word in ten on a quiet line and one in three over noise.
 */
const longSilenceMs = 500;

/** Converts the probabilities of windows to starts and ends of speech, with hysteresis. */
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

  /** `onFailure` is called if the detector fails outside of `push`. */
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

  /** True if speech is in progress or may be starting: silence must then be filled in for a lost stream. */
  get active(): boolean {
    return this.#speaking || this.#speechMs > 0;
  }

  /** Takes samples received at `atMs`. */
  push(samples: Int16Array, atMs: number): void {
    this.#stream.push(samples, atMs);
  }

  /** Stops emitting events. */
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

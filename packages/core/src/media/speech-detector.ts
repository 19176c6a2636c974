import type { VadSettings } from '../domain/speech-config.ts';
import type { VoiceActivityDetector, VoiceActivityStream } from '../ports/voice-activity.ts';
import { sampleRateHz } from './frame.ts';

export type SpeechEvent =
  /** Speech has lasted long enough to count; `onsetAtMs` is when it began. */
  | { type: 'speech-started'; onsetAtMs: number }
  /** A silent window within speech, the first of a pause that may become its end. */
  | { type: 'speech-paused' }
  | { type: 'speech-resumed' }
  /** `lastSpeechAtMs` is when its last window was heard. */
  | { type: 'speech-ended'; lastSpeechAtMs: number };

/** Turns frames into windows and window probabilities into the start and end of speech, with hysteresis. */
export class SpeechDetector {
  readonly #settings: VadSettings;
  readonly #stream: VoiceActivityStream;
  readonly #window: Int16Array;
  readonly #windowMs: number;
  readonly #onEvent: (event: SpeechEvent) => void;
  #filled = 0;
  #speaking = false;
  #speechMs = 0;
  #silenceMs = 0;
  #onsetAtMs = 0;
  #lastSpeechAtMs = 0;

  constructor(detector: VoiceActivityDetector, settings: VadSettings, onEvent: (event: SpeechEvent) => void) {
    this.#settings = settings;
    this.#stream = detector.createStream();
    this.#window = new Int16Array(detector.windowSamples);
    this.#windowMs = (detector.windowSamples * 1_000) / sampleRateHz;
    this.#onEvent = onEvent;
  }

  /** Whether speech is going on or may just be beginning: the silence of a lost stream then has to be filled in. */
  get active(): boolean {
    return this.#speaking || this.#speechMs > 0;
  }

  /** Takes samples that were heard at `atMs`. */
  push(samples: Int16Array, atMs: number): void {
    let offset = 0;
    while (offset < samples.length) {
      const count = Math.min(samples.length - offset, this.#window.length - this.#filled);
      this.#window.set(samples.subarray(offset, offset + count), this.#filled);
      this.#filled += count;
      offset += count;
      if (this.#filled === this.#window.length) {
        this.#filled = 0;
        this.#judge(this.#stream.probability(this.#window), atMs);
      }
    }
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
    this.#lastSpeechAtMs = atMs;
    if (this.#speaking || this.#speechMs < this.#settings.min_speech_ms) return;
    this.#speaking = true;
    this.#onEvent({ type: 'speech-started', onsetAtMs: this.#onsetAtMs });
  }

  #silence(): void {
    if (!this.#speaking) {
      this.#speechMs = 0;
      return;
    }
    if (this.#silenceMs === 0) this.#onEvent({ type: 'speech-paused' });
    this.#silenceMs += this.#windowMs;
    if (this.#silenceMs < this.#settings.min_silence_ms) return;
    this.#speaking = false;
    this.#speechMs = 0;
    this.#silenceMs = 0;
    this.#onEvent({ type: 'speech-ended', lastSpeechAtMs: this.#lastSpeechAtMs });
  }
}

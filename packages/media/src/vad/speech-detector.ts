import { sampleRateHz } from '../codec/frame.ts';
import { type SpeechTail, SpeechTailMeter } from '../dsp/speech-tail.ts';
import type { BatchedVadStream, VadBatcher } from './vad-batcher.ts';
import type { VadSettings } from './vad-settings.ts';

export type SpeechEvent =
  /** A window that may be the start of speech; `speech-started` or `speech-dismissed` follows. */
  | { type: 'speech-suspected' }
  /** The suspected sound was too short or too soft for speech. */
  | { type: 'speech-dismissed' }
  /** Speech has lasted long enough to count; `onsetAtMs` is its start. */
  | { type: 'speech-started'; onsetAtMs: number }
  /**
   * First silent window within speech, which may become its end. `lastSpeechAtMs` is the time of the window before it.
   */
  | { type: 'speech-paused'; lastSpeechAtMs: number }
  | { type: 'speech-resumed' }
  /** The speech has ended. `lastSpeechAtMs` is the time of its last window; `tail` describes its end. */
  | { type: 'speech-ended'; lastSpeechAtMs: number; tail: SpeechTail };

/**
 * Share of the start threshold from which a window is suspected to be speech: soft onsets are found one or two windows
 * earlier than with the threshold itself, and neither room noise nor music on hold is suspected more often.
 */
const suspectedShare = 0.3;
/** Silence after which a suspicion is dismissed. */
const dismissedAfterMs = 90;
/** Silence after which the end of the speech is analysed: later, its audio may be gone. */
const analysedAfterMs = 150;

/**
 * Duration of silence after which the network's memory is reduced step by step. Otherwise, after seconds of silence, it
 * misses one word in ten on a quiet line and one in three over noise.
 */
const longSilenceMs = 500;

/** Converts the probabilities of windows to starts and ends of speech, with hysteresis. */
export class SpeechDetector {
  readonly #settings: VadSettings;
  readonly #stream: BatchedVadStream;
  readonly #windowMs: number;
  readonly #onEvent: (event: SpeechEvent) => void;
  #speaking = false;
  #speechMs = 0;
  #silenceMs = 0;
  #quietMs = 0;
  #onsetAtMs = 0;
  #lastSpeechAtMs = 0;
  #isSuspected = false;
  #unsuspectedMs = 0;
  readonly #tailMeter = new SpeechTailMeter();
  #tail: SpeechTail | null = null;

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

  /** True if speech is in progress or may be starting: gaps in the audio must then be filled with silence. */
  get active(): boolean {
    return this.#speaking || this.#isSuspected || this.#speechMs > 0;
  }

  /** Takes samples received at `atMs`. */
  push(samples: Int16Array, atMs: number): void {
    this.#tailMeter.push(samples);
    this.#stream.push(samples, atMs);
  }

  /** Stops emitting events. */
  stop(): void {
    this.#stream.close();
  }

  #judge(probability: number, atMs: number): void {
    const threshold = this.#speaking ? this.#settings.end_threshold : this.#settings.start_threshold;
    if (!this.#speaking) this.#suspect(probability >= this.#settings.start_threshold * suspectedShare);
    if (probability >= threshold) this.#speech(atMs);
    else this.#silence();
  }

  #suspect(isSuspicious: boolean): void {
    if (isSuspicious) {
      this.#unsuspectedMs = 0;
      if (this.#isSuspected) return;
      this.#isSuspected = true;
      this.#onEvent({ type: 'speech-suspected' });
      return;
    }
    if (!this.#isSuspected) return;
    this.#unsuspectedMs += this.#windowMs;
    if (this.#unsuspectedMs < dismissedAfterMs) return;
    this.#isSuspected = false;
    this.#onEvent({ type: 'speech-dismissed' });
  }

  #speech(atMs: number): void {
    if (this.#speechMs === 0) this.#onsetAtMs = atMs - this.#windowMs;
    this.#speechMs += this.#windowMs;
    if (this.#silenceMs > 0) this.#onEvent({ type: 'speech-resumed' });
    this.#silenceMs = 0;
    this.#tail = null;
    this.#quietMs = 0;
    this.#lastSpeechAtMs = atMs;
    if (this.#speaking || this.#speechMs < this.#settings.min_speech_ms) return;
    this.#speaking = true;
    this.#isSuspected = false;
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
    if (this.#silenceMs >= analysedAfterMs) this.#tail ??= this.#tailMeter.measure(this.#silenceMs);
    if (this.#silenceMs < this.#settings.min_silence_ms) return;
    const tail = this.#tail ?? this.#tailMeter.measure(this.#silenceMs);
    this.#speaking = false;
    this.#speechMs = 0;
    this.#silenceMs = 0;
    this.#tail = null;
    this.#onEvent({ type: 'speech-ended', lastSpeechAtMs: this.#lastSpeechAtMs, tail });
  }
}

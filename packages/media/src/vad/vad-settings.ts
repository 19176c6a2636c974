/** Thresholds and durations of the start and end of speech. */
export interface VadSettings {
  /** Speech probability (0–1) from which a window counts as speech. */
  readonly start_threshold: number;
  /** Within speech, a window below this probability counts as silence. At most the start threshold. */
  readonly end_threshold: number;
  readonly min_speech_ms: number;
  readonly min_silence_ms: number;
}

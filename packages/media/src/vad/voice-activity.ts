/** Voice activity detector; Silero v6 at 8 kHz by default. */
export interface VoiceActivityDetector {
  /** Samples per window, at 8 kHz. */
  readonly windowSamples: number;
  createStream(): VoiceActivityStream;
  /**
   * URL of a module that exports `createDetector`, which returns the same detector, for use in media threads. Without
   * it, the caller's audio is brought to the main thread.
   */
  readonly module?: string;
  /**
   * Writes the probability of the next window of each of several streams, all different, into `into`. For detectors
   * that are faster this way; the results MUST be the same as one by one.
   */
  judge?(streams: readonly VoiceActivityStream[], windows: readonly Int16Array[], into: Float64Array): void;
}

/** Detector state of one call. */
export interface VoiceActivityStream {
  /** Returns the probability (0–1) that the window contains speech. Runs inside the media tick: it MUST NOT block. */
  probability(window: Int16Array): number;
  /**
   * Called after each window of a long silence, to reduce the weight of past audio. For networks that miss short words
   * after a long silence; others omit it.
   */
  forget?(): void;
}

/**
 * Destination of a recording: interleaved stereo 16-bit PCM (left the caller, right the agent), at 8 kHz by default.
 */
export interface RecordingSink {
  /**
   * Sets the rate of the samples. Called before the first `write`, for a call with another rate than 8,000. Absent if
   * only that rate is supported: recordings are then converted to it.
   */
  setSampleRate?(sampleRateHz: number): void;
  /** Takes the samples without blocking; the buffer may be reused afterwards. */
  write(samples: Int16Array): void;
  /** Completes the file; resolves when it can be read. */
  close(): Promise<void>;
}

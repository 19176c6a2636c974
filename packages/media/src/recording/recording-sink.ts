/** Destination of a recording: interleaved stereo 16-bit PCM at 8 kHz (left the caller, right the agent). */
export interface RecordingSink {
  /** Takes the samples without blocking the caller; the buffer may be reused as soon as it returns. */
  write(samples: Int16Array): void;
  /** Completes the file; resolves when it can be read. */
  close(): Promise<void>;
}

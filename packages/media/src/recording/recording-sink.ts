/** Destination of a recording: interleaved stereo 16-bit PCM at 8 kHz (left the caller, right the agent). */
export interface RecordingSink {
  /** Takes the samples without blocking; the buffer may be reused afterwards. */
  write(samples: Int16Array): void;
  /** Completes the file; resolves when it can be read. */
  close(): Promise<void>;
}

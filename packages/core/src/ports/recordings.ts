/** Where call recordings go. */
export interface RecordingStore {
  /** A new recording of a call: interleaved stereo 16-bit PCM at 8 kHz (left the caller, right the agent). */
  create(orgId: string, callId: string): Promise<RecordingSink>;
  /** Null where there is none. */
  open(orgId: string, callId: string): Promise<StoredRecording | null>;
}

export interface RecordingSink {
  /** Takes the samples without blocking the caller; the buffer may be reused as soon as it returns. */
  write(samples: Int16Array): void;
  /** Completes the file; resolves when it can be read. */
  close(): Promise<void>;
}

export interface StoredRecording {
  readonly contentType: string;
  readonly byteLength: number;
  /** Bytes `start` to `end`, both included (RFC 9110 §14.1.2). */
  read(range?: { start: number; end: number }): ReadableStream<Uint8Array>;
}

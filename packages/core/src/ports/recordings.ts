import type { RecordingSink } from '@va/media';

export type { RecordingSink };

/** Stores call recordings. */
export interface RecordingStore {
  /** Starts the recording of a call: interleaved stereo 16-bit PCM (left the caller, right the agent). */
  create(orgId: string, callId: string): Promise<RecordingSink>;
  /** Opens a recording for reading; returns null if there is none. */
  open(orgId: string, callId: string): Promise<StoredRecording | null>;
  /**
   * Completes a recording whose process died while writing it; returns false if there is none. Absent in stores that
   * discard unfinished recordings.
   */
  finish?(orgId: string, callId: string): Promise<boolean>;
  /**
   * Returns a URL that opens the recording without a key for a limited time; null if there is no recording. Absent if
   * the store has no such URLs.
   */
  link?(orgId: string, callId: string, expiresInSeconds: number): Promise<string | null>;
  /** Closes the store. Resolves when everything written is durable. */
  close?(): Promise<void>;
  /** Deletes the recording permanently. Returns false if there is none. */
  delete(orgId: string, callId: string): Promise<boolean>;
}

/** A stored recording, opened for reading. */
export interface StoredRecording {
  /** Temporary URL at which an authorized client can download the recording instead of through `read`. */
  readonly url?: string;
  readonly contentType: string;
  readonly byteLength: number;
  /** Returns the bytes from `start` to `end`, both included (RFC 9110 §14.1.2); all bytes without `range`. */
  read(range?: { start: number; end: number }): ReadableStream<Uint8Array>;
}

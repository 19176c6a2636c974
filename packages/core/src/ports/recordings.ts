import type { RecordingSink } from '@va/media';

export type { RecordingSink };

/** Where call recordings go. */
export interface RecordingStore {
  /** A new recording of a call: interleaved stereo 16-bit PCM at 8 kHz (left the caller, right the agent). */
  create(orgId: string, callId: string): Promise<RecordingSink>;
  /** Null where there is none. */
  open(orgId: string, callId: string): Promise<StoredRecording | null>;
  /**
   * Completes a recording whose process died while it was written; false where there is none. Left out by stores that
   * keep nothing of an unfinished recording.
   */
  finish?(orgId: string, callId: string): Promise<boolean>;
  /**
   * An address that opens the recording without a key, for so long and no longer; null where there is none. A store
   * without this has no such addresses.
   */
  link?(orgId: string, callId: string, expiresInSeconds: number): Promise<string | null>;
  /** Resolves when all that was written is kept for good. Nothing is asked of the store afterwards. */
  close?(): Promise<void>;
  /** For good. False where there is none. */
  delete(orgId: string, callId: string): Promise<boolean>;
}

export interface StoredRecording {
  /** Where whoever may have it can get it instead, for a short time. */
  readonly url?: string;
  readonly contentType: string;
  readonly byteLength: number;
  /** Bytes `start` to `end`, both included (RFC 9110 §14.1.2). */
  read(range?: { start: number; end: number }): ReadableStream<Uint8Array>;
}

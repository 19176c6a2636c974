import type { IncomingHttpHeaders } from 'node:http';

/** Fault of the next connection to the realtime transcription server. */
export type TranscriptionFault =
  /** Rejects the upgrade. */
  | { readonly status: number }
  /** Responds to each `session.update` with this error. */
  | { readonly error: { readonly type: string; readonly code: string } }
  /** Sends this error after the first audio, and closes the connection. */
  | { readonly ends: { readonly type: string; readonly code: string } }
  /** Closes the connection abruptly after that many messages of audio. */
  | { readonly breakAfterChunks: number }
  /** Fails the transcription of the first commit with this code. */
  | { readonly fails: string }
  /** Completes the first commit only after the second one. */
  | 'reversed'
  /** Never completes a commit. */
  | 'silent-commit'
  /** Sends text that is not JSON, and JSON of other shapes, before each event. */
  | 'garbage';

/** One connection as the server saw it. */
export interface TranscriptionConnection {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The `session` of each `session.update`. */
  readonly sessions: Record<string, unknown>[];
  chunks: number;
  commits: number;
  closed: boolean;
}

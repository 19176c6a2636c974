import type { IncomingHttpHeaders } from 'node:http';

/** Fault of the next connection to the AssemblyAI server. */
export type AssemblyAiFault =
  /** Rejects the upgrade. */
  | { readonly status: number }
  /** Sends this error instead of the greeting, and closes. */
  | { readonly error: number }
  /** Closes the connection abruptly after that many messages of audio. */
  | { readonly breakAfterChunks: number }
  /** Accepts audio and never responds. */
  | 'silent'
  /** Sends turns, but never their formatted version. */
  | 'unformatted'
  /** Sends text that is not JSON, and JSON of other shapes, before each turn. */
  | 'garbage';

/** One connection as the server saw it. */
export interface AssemblyAiConnection {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  audioBytes: number;
  /** Durations of the messages of audio, in milliseconds. */
  readonly chunks: number[];
  /** Control messages: ForceEndpoint, UpdateConfiguration, KeepAlive, Terminate. */
  readonly controls: Record<string, unknown>[];
  closed: boolean;
}

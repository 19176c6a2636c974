import type { IncomingHttpHeaders } from 'node:http';

/** Fault of the next connection to the ElevenLabs server. */
export type ElevenLabsFault =
  /** Rejects the upgrade. */
  | { readonly status: number }
  /** Closes the connection abruptly after that many audio chunks. */
  | { readonly breakAfterPieces: number }
  /** Responds to the first text with this error and closes: `quota_exceeded`, `invalid_api_key`, … */
  | { readonly error: string }
  /** Responds to the first text of each context with this error, which names the context, and stays open. */
  | { readonly contextError: string }
  /** Ends every context without audio. */
  | 'mute'
  /** Accepts text and never responds. */
  | 'hang'
  /** Sends text that is not JSON, and JSON of other shapes, before each audio chunk. */
  | 'garbage';

/** Behaviours in which the service has been seen to differ. The defaults are the more difficult ones. */
export interface ElevenLabsBehaviour {
  /**
   * `drain` (default): a closed context counts as open until its `isFinal`, which is sent a little later. `held`: until
   * `release()`. `at-once`: its `isFinal` is sent at once.
   */
  readonly closedContexts: 'drain' | 'held' | 'at-once';
  /** Time for which a closed context counts as open with `drain`. Default: 20 ms. */
  readonly drainMs: number;
  /**
   * `per-piece` (default): each audio chunk has its characters. `sparse`: the first chunk of a text has all characters,
   * the others have null. `repeated`: the last of several chunks has the characters of the whole text.
   */
  readonly alignment: 'per-piece' | 'sparse' | 'repeated';
}

/** One connection as the server saw it. */
export interface ElevenLabsConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly messages: Record<string, unknown>[];
  /** Maximum number of simultaneous contexts, including closed ones that still drain. */
  mostOpen: number;
  closed: boolean;
}

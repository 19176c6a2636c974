import type { IncomingHttpHeaders } from 'node:http';

export type ElevenLabsFault =
  /** Refuses the upgrade. */
  | { readonly status: number }
  /** Cuts the connection after so many pieces of audio. */
  | { readonly breakAfterPieces: number }
  /** Answers the first text with this error and closes: `quota_exceeded`, `invalid_api_key`, … */
  | { readonly error: string }
  /** Answers the first text of each context with this error, which names the context, and stays open. */
  | { readonly contextError: string }
  /** Ends every context without audio. */
  | 'mute'
  /** Takes text and never answers. */
  | 'hang'
  /** Sends text that is not JSON, and JSON of other shapes, before each piece of audio. */
  | 'garbage';

/** Behaviours in which the service has been seen to differ. The defaults are the unkind ones. */
export interface ElevenLabsMoods {
  /**
   * `drain` (default): a closed context counts until its `isFinal`, which comes a little later. `held`: until
   * `release()`. `at-once`: its `isFinal` comes at once.
   */
  readonly closedContexts: 'drain' | 'held' | 'at-once';
  /** Time that a closed context goes on in the mood `drain`; 20 ms by default. */
  readonly drainMs: number;
  /**
   * `per-piece` (default): each piece of audio has its characters. `sparse`: the first piece of a text has all of them,
   * the others have null. `repeated`: the last piece of a text has those of the whole text once more.
   */
  readonly alignment: 'per-piece' | 'sparse' | 'repeated';
}

/** One connection as the server saw it. */
export interface ElevenLabsConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly messages: Record<string, unknown>[];
  /** The largest number of contexts at one time, closed ones that still drain included. */
  mostOpen: number;
  closed: boolean;
}

import type { IncomingHttpHeaders } from 'node:http';

/** Fault of the next connection to the Cartesia speech server. */
export type CartesiaFault =
  /** Rejects the upgrade. */
  | { readonly status: number }
  /** Closes the connection abruptly after that many audio chunks. */
  | { readonly breakAfterChunks: number }
  /** Responds to the first text of each context with this error. */
  | { readonly contextError: { readonly status: number; readonly code: string } }
  /** Ends every context without audio. */
  | 'mute'
  /** Accepts text and never responds. */
  | 'hang'
  /** Sends text that is not JSON, and JSON of other shapes, before each message. */
  | 'garbage';

/** Behaviours that depend on the account or on time. The defaults are the more difficult ones. */
export interface CartesiaBehaviour {
  /** Time after its last audio at which a context expires. Default: 1,000 ms, as documented. */
  readonly expireMs: number;
  /** Time for which a cancelled context continues: the current text is spoken to its end. Default: 20 ms. */
  readonly drainMs: number;
  /** Maximum number of simultaneous contexts. Default: 5. */
  readonly concurrency: number;
}

/** One connection as the server saw it. */
export interface CartesiaConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly messages: Record<string, unknown>[];
  /** Maximum number of simultaneous contexts, including cancelled ones that still drain. */
  mostOpen: number;
  /** Ids of the contexts that were reported as done. */
  readonly done: string[];
  closed: boolean;
}

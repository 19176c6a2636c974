import type { IncomingHttpHeaders } from 'node:http';

/** Fault of the next connection to the Deepgram server. */
export type DeepgramFault =
  /** Rejects the upgrade. */
  | { readonly status: number }
  /** Closes the connection after that many bytes of sound (8 kHz, one byte per sample) since the last end of a turn. */
  | { readonly breakAfterBytes: number }
  /** Never responds to a Finalize. */
  | 'silent-finalize'
  /** Flux: reports turns, but never their end. */
  | 'endless-turns'
  /** Speech: closes the connection abruptly after that many audio chunks. */
  | { readonly breakAfterChunks: number }
  /** Speech: confirms every Flush without audio. */
  | 'mute'
  /** Speech: never confirms a Clear. */
  | 'silent-clear'
  /** Sends text that is not JSON, and JSON of other shapes, before each transcript. */
  | 'garbage';

/** Behaviours in which the service has been seen to differ. The defaults are the more difficult ones. */
export interface DeepgramBehaviour {
  /**
   * `unanswered-when-empty` (default): a Finalize without pending sound gets no response. `answered`: it gets an empty
   * transcript.
   */
  readonly finalize: 'unanswered-when-empty' | 'answered';
  /**
   * `as-asked` (default): finals are sent unrequested after the silence that the client configures, 10 ms by default.
   * `always`: after 10 ms.
   */
  readonly endpointing: 'as-asked' | 'always';
  /**
   * Languages that the multilingual models detect, one BCP 47 tag per turn; undefined for a turn without a detected
   * language. Default: none.
   */
  readonly languages: readonly (string | undefined)[];
  /** True if the account supports `ForceEndTurn`. Default: false; Flux then closes the connection on receiving it. */
  readonly forceEndTurn: boolean;
}

/** One connection as the server saw it. */
export interface DeepgramConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  audioBytes: number;
  /**
   * The `type` of each control message: KeepAlive, Finalize, CloseStream, Configure, ForceEndTurn,
   * Flush, Clear, Close.
   */
  readonly controls: string[];
  /** The key terms of each `Configure`. */
  readonly keyterms: string[][];
  /** Texts to speak. */
  readonly texts: string[];
  /** Finalizes without pending sound that got no response. */
  unansweredFinalizes: number;
  closed: boolean;
}

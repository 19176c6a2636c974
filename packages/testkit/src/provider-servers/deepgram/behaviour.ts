import type { IncomingHttpHeaders } from 'node:http';

export type DeepgramFault =
  /** Refuses the upgrade. */
  | { readonly status: number }
  /**
   * Cuts the connection once so many bytes of sound (8 kHz, one byte per sample) have come since the last end of a
   * turn.
   */
  | { readonly breakAfterBytes: number }
  /** Never answers a Finalize. */
  | 'silent-finalize'
  /** Flux: reports turns, and never their end. */
  | 'endless-turns'
  /** Sends text that is not JSON, and JSON of other shapes, before each transcript. */
  | 'garbage';

/** Behaviours in which the service has been seen to differ. The defaults are the unkind ones. */
export interface DeepgramMoods {
  /**
   * `unanswered-when-empty` (default): a Finalize that finds no sound without final words is not answered. `answered`:
   * it is, with an empty transcript.
   */
  readonly finalize: 'unanswered-when-empty' | 'answered';
  /**
   * `as-asked` (default): finals without a request after the silence that the client asks for, 10 ms by default.
   * `always`: after 10 ms.
   */
  readonly endpointing: 'as-asked' | 'always';
  /** Whether the account has `ForceEndTurn`; false by default: Flux then closes the connection at it. */
  readonly forceEndTurn: boolean;
}

/** One connection as the server saw it. */
export interface DeepgramConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  audioBytes: number;
  /** The `type` of each control message: KeepAlive, Finalize, CloseStream, Configure, ForceEndTurn. */
  readonly controls: string[];
  /** The key terms of each `Configure`. */
  readonly keyterms: string[][];
  /** Finalizes that found nothing and were not answered. */
  unansweredFinalizes: number;
  closed: boolean;
}

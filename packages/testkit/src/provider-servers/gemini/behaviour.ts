/** Reply of the model: spoken text, function calls, or both. */
export interface GeminiReply {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: Record<string, unknown> }[];
  /** Stops generating after that many words, until the reply is interrupted. */
  readonly holdAfterWords?: number;
}

/** Fault of the next connection to the Gemini Live server. */
export type GeminiFault =
  /** Rejects the upgrade. */
  | { readonly status: number }
  /** Closes with this code and reason instead of accepting the setup. */
  | { readonly closeCode: number; readonly reason: string }
  /** Cuts the connection at the first end of an activity. */
  | 'cut-at-request'
  /** Never accepts the setup. */
  | 'no-setup'
  /** Does not end a reply that is interrupted. */
  | 'no-end'
  /** Sends a frame of 17 MiB once the setup is accepted. */
  | 'huge-frame'
  /** Reads nothing once the setup is accepted. */
  | 'deaf'
  /** Sends text that is not JSON, and JSON of other shapes, before each message. */
  | 'garbage'
  /** Completes its turns without any content. */
  | 'mute'
  /** Splits audio at odd bytes. */
  | 'odd-audio';

/** One connection as the server saw it. */
export interface GeminiConnection {
  readonly query: URLSearchParams;
  /** Messages of the client, without audio. */
  readonly messages: Record<string, unknown>[];
  audioBytes: number;
  /** Audio outside of an activity, which the model does not hear. */
  strayBytes: number;
  setup: Record<string, unknown>;
  closed: boolean;
}

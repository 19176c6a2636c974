import type { IncomingHttpHeaders } from 'node:http';

/** Vendor whose variant of the Realtime API a server speaks. */
export type RealtimeDialectName = 'openai' | 'xai';

/** Reply of the model: words with 40 ms of a tone per character, then tool calls whose arguments are sent in halves. */
export interface RealtimeReply {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  /** Stops after that many words, until it is cancelled or `release()`d. */
  readonly holdAfterWords?: number;
  /** Fails after its words, with OpenAI's `type` and `code`. */
  readonly fails?: { readonly type: string; readonly code: string };
}

/** Transcript of a turn; null for a transcription that fails. */
export interface RealtimeTranscript {
  readonly text: string | null;
  readonly delayMs?: number;
}

/**
 * Point at which a connection can be closed: at the start (`open`), when the client's event of that name arrives, or
 * after the server's event of that name was sent.
 */
export type RealtimeStep =
  | 'open'
  | 'session.update'
  | 'session.updated'
  | 'input_audio_buffer.append'
  | 'input_audio_buffer.commit'
  | 'response.create'
  | 'response.created'
  | 'response.output_audio.delta'
  | 'response.function_call_arguments.delta'
  | 'response.cancel';

/** Fault of the next connection to a realtime server. */
export type RealtimeFault =
  /** Rejects the upgrade. */
  | { readonly status: number }
  | { readonly cutAt: RealtimeStep }
  /** Responds to the event of that name with this error, once. */
  | { readonly error: { readonly type: string; readonly code: string | null }; readonly to: string }
  /** Never responds to events of that name. */
  | { readonly ignores: string }
  /** Confirms the first `session.update` after this delay. */
  | { readonly sessionDelayMs: number }
  /** Sends invalid frames, or events of other shapes, before each of its own events. */
  | 'garbage'
  /** Sends a frame of 17 MiB once the session is accepted. */
  | 'huge-frame'
  /** Reads nothing once the session is accepted. */
  | 'deaf'
  /** Starts an unrequested response once the session is accepted. */
  | 'unasked-response'
  /** Starts responses and sends no further events of them. */
  | 'hang'
  /** Sends responses without their audio. */
  | 'mute'
  /** Splits the audio at odd bytes. */
  | 'odd-audio'
  /** Sends audio that is not valid Base64 before each chunk. */
  | 'bad-audio'
  /** Omits the ids of responses and items wherever a vendor has been seen to omit them. */
  | 'sparse-ids';

/** Event that a client sent, with the time of its arrival. */
export interface RealtimeClientEvent {
  /** Milliseconds since the start of the server. */
  readonly atMs: number;
  readonly event: Record<string, unknown>;
}

/** One connection as the server saw it. */
export interface RealtimeConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** All events of the client. */
  readonly events: RealtimeClientEvent[];
  /** Merged content of the `session.update`s. */
  session: Record<string, unknown>;
  /** Number of events other than `session.update` before the session was accepted. */
  early: number;
  /** Items of the conversation as the model has them now, in order. */
  readonly items: RealtimeItem[];
  /** Total appended audio. */
  audioBytes: number;
  closed: boolean;
}

/** Item of the conversation as the server stores it. */
export interface RealtimeItem {
  readonly id: string;
  readonly type: string;
  readonly role?: string;
  /** Type of a message's content; absent while it is empty. */
  content?: 'input_text' | 'output_text' | 'input_audio' | 'output_audio';
  text: string;
  /** Words of an audio turn, once transcribed. */
  transcript?: string;
  /** JSON text of a function call. */
  arguments?: string;
  audioMs: number;
  readonly callId?: string;
}

import type { IncomingHttpHeaders } from 'node:http';

export type RealtimeDialectName = 'openai' | 'xai';

/** What the model answers: words with 40 ms of a tone a character, then tool calls whose arguments come in halves. */
export interface RealtimeReply {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  /** Stops after so many words, until it is cancelled or `release()`d. */
  readonly holdAfterWords?: number;
  /** The reply fails after its words, with OpenAI's `type` and `code`. */
  readonly fails?: { readonly type: string; readonly code: string };
}

/** What is understood of a turn; null for a transcription that fails. */
export interface RealtimeTranscript {
  readonly text: string | null;
  readonly delayMs?: number;
}

/** Where a connection can be cut: with the event of that name, or just after it was answered. */
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

export type RealtimeFault =
  /** Refuses the upgrade. */
  | { readonly status: number }
  | { readonly cutAt: RealtimeStep }
  /** Answers the event of that name with this error, once. */
  | { readonly error: { readonly type: string; readonly code: string | null }; readonly to: string }
  /** Each event of that name is taken and never answered. */
  | { readonly ignores: string }
  /** Answers the session's description late. */
  | { readonly sessionDelayMs: number }
  /** Sends frames that are no event, or events of other shapes, before each event of its own. */
  | 'garbage'
  /** Sends a frame of 17 MiB once the session has been taken. */
  | 'huge-frame'
  /** Reads nothing once the session has been taken. */
  | 'deaf'
  /** Begins a response that nobody asked for, once the session has been taken. */
  | 'unasked-response'
  /** Begins responses and tells nothing more of them. */
  | 'hang'
  /** Tells of responses without their audio. */
  | 'mute'
  /** Cuts the audio at odd bytes. */
  | 'odd-audio'
  /** Sends audio that is no Base64 before each piece. */
  | 'bad-audio'
  /** Leaves out the ids of responses and items wherever a vendor has been seen to. */
  | 'sparse-ids';

export interface RealtimeClientEvent {
  /** Since the server was started. */
  readonly atMs: number;
  readonly event: Record<string, unknown>;
}

/** One connection as the server saw it. */
export interface RealtimeConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Every event of the client's. */
  readonly events: RealtimeClientEvent[];
  /** Of the last `session.update`s, merged. */
  session: Record<string, unknown>;
  /** How many events came before the session had been taken, beside its description. */
  early: number;
  /** The conversation's items as the model has them now, in order. */
  readonly items: RealtimeItem[];
  /** Audio that was appended, in all. */
  audioBytes: number;
  closed: boolean;
}

export interface RealtimeItem {
  readonly id: string;
  readonly type: string;
  readonly role?: string;
  /** Type of a message's content; absent until there is some. */
  content?: 'input_text' | 'output_text' | 'input_audio' | 'output_audio';
  text: string;
  /** Words of an audio turn, once they are understood. */
  transcript?: string;
  /** JSON text of a function call. */
  arguments?: string;
  audioMs: number;
  readonly callId?: string;
}

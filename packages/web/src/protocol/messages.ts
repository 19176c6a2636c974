/**
 * The WebSocket protocol between a page and the service, version 1, as described in docs/web-calls.md. Control messages
 * are JSON text, audio is binary.
 */
export const protocolVersion = 1;

/** Duration of an audio frame in both directions. */
export const frameMs = 20;

/** Audio of a call: G.711 μ-law at 8 kHz, or signed 16-bit little-endian samples at 16 kHz. */
export type WebCallAudio =
  | { readonly encoding: 'pcmu'; readonly sample_rate: 8000; readonly frame_ms: 20 }
  | { readonly encoding: 'pcm16'; readonly sample_rate: 16000; readonly frame_ms: 20 };

export type WebCallEncoding = WebCallAudio['encoding'];

/** Size of an audio frame in bytes. */
export const frameBytes: Readonly<Record<WebCallEncoding, number>> = { pcmu: 160, pcm16: 640 };
/** Size of the sequence number before the audio of a frame: 32 bits, big-endian. */
export const headerBytes = 4;

/** Time for which the service keeps a call after its connection was lost. */
export const resumeWithinMs = 10_000;
/** Interval of `played` messages. */
export const playedEveryMs = 200;

/** Maximum lengths of texts, DTMF digits, tool results and offers that a page may send, in characters. */
export const maxTextLength = 4_000;
export const maxKeys = 32;
export const maxToolResultLength = 32_768;
export const maxSdpLength = 16_384;

/** Activity of the agent. */
type AgentActivity = 'listening' | 'thinking' | 'speaking';

/** Latency of a reply in ms from the end of the user's speech; `total_ms` is the latency that the user perceives. */
export interface WebCallLatency {
  readonly total_ms: number;
  readonly endpointing_ms: number;
  readonly stt_final_ms: number | null;
  readonly first_audio_ms: number | null;
  readonly llm_first_token_ms: number | null;
  readonly tts_first_byte_ms: number | null;
}

/** Messages of the page. The first one is `hello` or `resume`. */
export type UpMessage =
  | {
      readonly type: 'hello';
      readonly version: number;
      readonly token: string;
      /** Encodings that the page supports, including `pcmu`. */
      readonly audio?: readonly string[];
      /** True if an `offer` or `use-websocket` will follow. Ignored by a service without WebRTC. */
      readonly webrtc?: boolean | undefined;
    }
  /** Resumes a call. `received` is the sequence number after the last received frame. */
  | { readonly type: 'resume'; readonly version: number; readonly secret: string; readonly received: number }
  /** All frames before this sequence number were played or dropped. */
  | { readonly type: 'played'; readonly sequence: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'keys'; readonly keys: string }
  | { readonly type: 'mute'; readonly muted: boolean }
  /** Offers a WebRTC connection for the audio, which replaces an earlier one. The response has the same `id`. */
  | { readonly type: 'offer'; readonly sdp: string; readonly id?: number }
  /** Moves the audio to this WebSocket. */
  | { readonly type: 'use-websocket' }
  | { readonly type: 'tool-result'; readonly id: string; readonly result: unknown }
  | { readonly type: 'tool-error'; readonly id: string; readonly error: string }
  | { readonly type: 'hang-up' };

/** Messages of the service. */
export type DownMessage =
  /** Answers `hello` and `resume`. */
  | {
      readonly type: 'ready';
      readonly version: number;
      readonly call_id: string;
      readonly audio: WebCallAudio;
      /** Secret for `resume`. */
      readonly resume_secret: string;
      /** WebSocket URL for `resume`; null to use the URL of the call. */
      readonly resume_url: string | null;
      readonly resume_within_ms: number;
      /** True if the service accepts an `offer`; otherwise false or absent. */
      readonly webrtc?: boolean;
    }
  /** The agent has answered. Audio follows. */
  | { readonly type: 'answered' }
  | { readonly type: 'state'; readonly state: AgentActivity }
  | { readonly type: 'user-text'; readonly text: string; readonly final: boolean }
  | { readonly type: 'agent-text'; readonly text: string }
  | { readonly type: 'agent-heard'; readonly text: string; readonly interrupted: boolean }
  | { readonly type: 'tool-started'; readonly id: string; readonly name: string }
  | { readonly type: 'tool-ended'; readonly id: string; readonly name: string; readonly ok: boolean }
  /** Asks the page to run a tool. */
  | {
      readonly type: 'tool-call';
      readonly id: string;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }
  /** The result of a tool call is no longer needed. */
  | { readonly type: 'tool-canceled'; readonly id: string }
  | { readonly type: 'latency'; readonly latency: WebCallLatency }
  /** Answers `offer`, with its `id` if it has one. */
  | { readonly type: 'answer'; readonly sdp: string; readonly id?: number }
  | { readonly type: 'offer-refused'; readonly message: string; readonly id?: number }
  /**
   * Answers `played` until the agent has answered and while the audio uses WebRTC, so that the page detects a lost
   * WebSocket.
   */
  | { readonly type: 'alive' }
  /** Drops the frames before this sequence number that were not played. */
  | { readonly type: 'clear'; readonly sequence: number }
  /** The last message of a call. */
  | { readonly type: 'ended'; readonly reason: string }
  /** The connection was refused or violated the protocol, and is closed. */
  | { readonly type: 'error'; readonly code: ProtocolErrorCode; readonly message: string };

/** Codes of `error` messages. */
export type ProtocolErrorCode =
  | 'invalid_message'
  | 'unsupported_version'
  | 'hello_timeout'
  | 'token_refused'
  | 'resume_refused'
  | 'too_many_messages'
  | 'replaced'
  | 'overloaded';

/** WebSocket close code after an `error` message. */
export const errorCloseCode = 4_000;

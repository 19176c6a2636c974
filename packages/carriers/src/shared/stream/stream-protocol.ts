import type { LegEncoding } from '@va/media';

/** A message of a media stream, as far as a call needs it. */
export type StreamMessage =
  | {
      readonly type: 'audio';
      /** In the stream's encoding. */
      readonly audio: Uint8Array;
      /** Time on the carrier's clock; null if it tells none. */
      readonly timestampMs: number | null;
      /** Number of the audio, for carriers whose audio may arrive out of order. */
      readonly chunk?: number;
    }
  | { readonly type: 'key'; readonly digit: string }
  /** Playback has reached a mark, or a mark was cleared. */
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'stop' };

/** The first message of a stream. */
export interface StreamStart {
  /** The carrier's id of the call; null if the message has none. */
  readonly callId: string | null;
  /** Token of the call, for carriers that pass it in the message. */
  readonly token: string | null;
  readonly protocol: StreamProtocol;
}

/** The messages of a carrier's media stream. */
export interface StreamProtocol {
  /** Encoding of the audio that is read and written. */
  readonly encoding: LegEncoding;
  /** Reads a message; null for one that is malformed or of no interest. */
  read(data: Buffer, isBinary: boolean): StreamMessage | null;
  /** Encodes 20 ms of audio, of which it keeps nothing. */
  audio(frame: Uint8Array): string | Uint8Array;
  mark(name: string): string;
  /** Drops what the carrier has queued. */
  clear(): string;
  /** Presses keys; absent if the stream has no such message. */
  keys?(keys: string): string;
}

import type { LegEncoding } from '@va/media';

/** A parsed message of a media stream. */
export type MediaStreamMessage =
  | {
      readonly type: 'audio';
      /** Audio in the encoding of the stream. */
      readonly audio: Uint8Array;
      /** Timestamp of the carrier's clock in milliseconds; null if the carrier sends none. */
      readonly timestampMs: number | null;
      /** Sequence number, for carriers that may send chunks out of order. */
      readonly chunk?: number;
    }
  | { readonly type: 'key'; readonly digit: string }
  /** Playback reached a mark, or the mark was cleared. */
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'stop' };

/** The start message of a stream. */
export interface StreamStart {
  /** The carrier's call id; null if the message has none. */
  readonly callId: string | null;
  /** Token of the call, for carriers that send it in this message. */
  readonly token: string | null;
  readonly protocol: StreamProtocol;
}

/** Reads and writes the messages of a carrier's media stream. */
export interface StreamProtocol {
  /** Encoding of the audio in both directions. */
  readonly encoding: LegEncoding;
  /** Parses a message; null if it is malformed or not used. */
  read(data: Buffer, isBinary: boolean): MediaStreamMessage | null;
  /** Encodes 20 ms of audio. Must not keep the buffer. */
  audio(frame: Uint8Array): string | Uint8Array;
  mark(name: string): string;
  /** Encodes the message that clears the carrier's queue. */
  clear(): string;
  /** Encodes a DTMF message; absent if the protocol has none. */
  keys?(keys: string): string;
}

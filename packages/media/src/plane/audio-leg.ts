import type { AudioFormat } from '../codec/audio-format.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import type { MediaControl, MediaSettings, MediaThread } from './media-control.ts';
import type { MediaStatistics } from './media-statistics.ts';

/**
 * Audio of one answered call, in frames of 20 ms: 160 bytes of G.711 at 8 kHz, or 640 bytes of `pcm16` at 16 kHz.
 *
 * Incoming frames are pushed, not pulled: recognition needs no playout delay, so a frame in order MUST be passed on in
 * the same turn of the event loop in which its packet arrived. Only a missing frame may delay later ones, by a few
 * frames at most.
 */
export interface AudioLeg {
  /** Encoding of the frames, which never changes. */
  readonly format: AudioFormat;
  /** True if the far end is expected to send audio; false while it holds the call without sending. */
  readonly receiving: boolean;
  /**
   * True if the far end listens; false while it holds the call. While false, frames given to `send` are dropped, and
   * received frames are music on hold. A leg without this property always sends.
   */
  readonly sending?: boolean;
  /**
   * Time of the far end's last packet, including reports such as RTCP, on the service's clock. Without this property
   * only frames keep the call alive.
   */
  readonly aliveAtMs?: number;
  /**
   * Calls the listener for each 20 ms of the far end's audio, in order and without duplicates; `null` stands for a lost
   * frame. The buffer is valid until the listener returns. One listener; frames before it is set are dropped.
   */
  onFrame(listener: (frame: Uint8Array | null) => void): void;
  /**
   * Sends one frame now. The media plane calls it once per 20 ms tick; it MUST return at once and never throw. The
   * buffer may be reused afterwards.
   */
  send(frame: Uint8Array): void;
  onDtmf(listener: (digit: DtmfDigit) => void): void;
  /**
   * Drops the sent frames that the far end has queued and not played, held ones included, and returns their duration in
   * milliseconds. For far ends that play from a queue of their own, such as a carrier's media stream. Absent if frames
   * count as heard once they are sent.
   */
  discardUnplayed?(): number;
  /**
   * Takes the sent frames that are not played yet back from the far end's queue, until `playUnplayed` sends them again.
   * Present with `discardUnplayed`.
   */
  holdUnplayed?(): void;
  playUnplayed?(): void;
  /**
   * Sends DTMF: `0`–`9`, `*`, `#`, `A`–`D`, and `w`/`W` for pauses of 0.5 and 1 s. Frames given to `send` meanwhile are
   * not heard. Absent if the leg does not support it.
   */
  sendDtmf?(digits: string, toneMs: number): void;
  /**
   * Resolves to the network statistics so far, after the leg's end to those of the whole call; null if there are none.
   * MUST NOT reject. Absent if the leg keeps no statistics.
   */
  statistics?(): Promise<MediaStatistics | null>;
  /**
   * Opens the media plane in the thread that handles this leg's frames, such as a worker thread. Events and behaviour
   * are the same as of a media plane in the calling thread. Called at most once, instead of `onFrame`, `onDtmf` and
   * `send`. Without this method the frames are passed to the calling thread.
   */
  openMedia?(settings: MediaSettings, thread: MediaThread): MediaControl;
  /**
   * Forwards this leg's audio and DTMF to another leg of the same adapter, outside the calling thread. Returns false if
   * that is not possible.
   */
  forwardTo?(other: AudioLeg): boolean;
}

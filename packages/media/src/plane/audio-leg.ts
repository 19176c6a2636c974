import type { AudioFormat } from '../codec/audio-format.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import type { MediaControl, MediaSettings, MediaThread } from './media-control.ts';
import type { MediaStatistics } from './media-statistics.ts';

/**
 * The audio of one answered call, in G.711 frames of 20 ms (160 bytes at 8 kHz).
 *
 * Incoming frames are pushed, not pulled: recognition needs no playout delay, so a frame that comes in order MUST be
 * handed on in the same turn of the event loop in which its packet arrived. Only where one is missing may later ones
 * wait for it, and no longer than a few frames.
 */
export interface AudioLeg {
  readonly format: AudioFormat;
  /** Whether the far end is to send audio; false while it has put the call on hold without any. */
  readonly receiving: boolean;
  /**
   * Whether the far end listens; false while it has put the call on hold. What is sent meanwhile is dropped, and what
   * comes is music on hold. A leg without this always sends.
   */
  readonly sending?: boolean;
  /**
   * When the far end last gave a sign of life, reports such as RTCP included, by the service's clock. A leg without
   * this has no signs but frames.
   */
  readonly aliveAtMs?: number;
  /**
   * Called for each 20 ms of the far end's audio, in order and without duplicates; `null` stands for a frame that is
   * given up for lost. The bytes are the listener's until it returns. One listener; frames before it is set are
   * dropped.
   */
  onFrame(listener: (frame: Uint8Array | null) => void): void;
  /**
   * Sends one frame now. The media plane calls it once per 20 ms tick; it MUST return at once and never throw. The
   * bytes are the sender's again when it has returned.
   */
  send(frame: Uint8Array): void;
  onDtmf(listener: (digit: DtmfDigit) => void): void;
  /**
   * Presses keys for the far end: `0`–`9`, `*`, `#`, `A`–`D`, and `w`/`W` for pauses of 0.5 and 1 s. What `send` is
   * given meanwhile is not heard. A leg without this cannot.
   */
  sendDtmf?(digits: string, toneMs: number): void;
  /**
   * How the media went over the network so far; after the leg's end, of the whole call. Null where nobody counts. MUST
   * NOT reject. A leg without this does not count.
   */
  statistics?(): Promise<MediaStatistics | null>;
  /**
   * Has the media plane run where this leg's frames are, such as in a thread of its own: what it tells, when, and what
   * it does is as if it ran in this one. Once at most, and in the place of `onFrame`, `onDtmf` and `send`. Leaving it
   * out, a leg has its frames brought to the caller's thread.
   */
  openMedia?(settings: MediaSettings, thread: MediaThread): MediaControl;
  /**
   * From here on another leg of the same adapter is sent what this one hears, keys included, without the caller's
   * thread. Returns false where that cannot be.
   */
  forwardTo?(other: AudioLeg): boolean;
}

import type { CodecName } from '../codec/audio-codec.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import type { MediaStatistics } from '../plane/media-statistics.ts';
import type { Agreement } from '../rtp/agreement.ts';
import type { MediaTrust } from '../rtp/media-trust.ts';
import type { MediaCommand, MediaHappening } from './messages.ts';
import type { FrameNews } from './shared-frames.ts';

/** What a media worker is told when it starts. */
export interface WorkerStart {
  /**
   * What the service's clock has shown at the machine's monotonic time 0: both threads then mean the same by a time.
   */
  readonly clockAtZeroMs: number;
  readonly opus: boolean;
}

/** What the service's thread wants of a leg. Commands of a leg are carried out in their order. */
export type LegCommand =
  | { type: 'open'; address: string; port: number }
  | { type: 'apply'; agreement: Agreement; offered: readonly CodecName[]; trust?: MediaTrust | undefined }
  | { type: 'told-digit'; digit: DtmfDigit }
  | { type: 'media'; command: MediaCommand }
  /** Frames and keys are to be told from now on, without a media plane. */
  | { type: 'listen' }
  | { type: 'send'; frame: Uint8Array }
  | { type: 'press'; digits: string; toneMs: number }
  | { type: 'forward'; to: number }
  | { type: 'measure' }
  | { type: 'close' };

export interface Addressed<T> {
  readonly leg: number;
  readonly what: T;
}

/** What a media worker is told: commands in their order, or `stop` as the last thing. */
export type ToWorker = readonly Addressed<LegCommand>[] | 'stop';

/** What happens on a leg. */
export type LegHappening =
  | { type: 'opened'; port: number }
  | { type: 'not-opened'; message: string; code: string | undefined }
  | { type: 'media'; happening: MediaHappening }
  | { type: 'digit'; digit: DtmfDigit }
  | { type: 'measured'; statistics: MediaStatistics }
  /** The last of a leg. */
  | { type: 'closed'; statistics: MediaStatistics };

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** What a media worker tells, in its order: first the audio, then what happened. */
export interface FromWorker {
  /**
   * Frames of 160 bytes; the tag tells whose each is, and `lostFrame` is added where it stands for one that was lost.
   */
  readonly audio: FrameNews;
  readonly happenings: readonly Addressed<LegHappening>[];
  readonly log: readonly LogLine[];
}

export const frameBytes = 160;
export const lostFrame = 0x8000_0000;

import type { CodecName } from '../codec/audio-codec.ts';
import { type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import type { MediaEvent, MediaSettings } from '../plane/media-control.ts';
import type { MediaStatistics } from '../plane/media-statistics.ts';
import type { BackgroundSound } from '../playout/background-sound.ts';
import type { PlayoutEvent } from '../playout/playout.ts';
import type { Agreement } from '../rtp/agreement.ts';
import type { MediaTrust } from '../rtp/media-trust.ts';
import type { VadSettings } from '../vad/vad-settings.ts';
import type { FrameBatch } from './shared-frames.ts';

/** `workerData` of a media worker. */
export interface WorkerStart {
  /**
   * Value of the main thread's clock at the machine's monotonic time 0, so that both threads have the same clock.
   */
  readonly clockAtZeroMs: number;
  readonly opus: boolean;
}

/** Settings of a media plane in the worker. */
export interface PlaneSettings extends Pick<MediaSettings, 'mediaTimeout'> {
  readonly encoding: LegEncoding;
  readonly vad: VadSettings;
  readonly ambient: BackgroundSound | undefined;
  readonly hold: BackgroundSound | undefined;
  readonly isRecorded: boolean;
  /**
   * The built-in voice activity detector, or a module that exports `createDetector`; null if the main thread detects
   * speech.
   */
  readonly detector: 'silero' | { readonly module: string } | null;
  /** Memory of a `HeardMeter`. */
  readonly heard: SharedArrayBuffer;
}

/** A command to a leg of the worker; plain data. Commands of a leg are executed in order. */
export type MediaCommand = { readonly leg: number } & (
  | { readonly type: 'open'; readonly address: string; readonly port: number }
  | {
      readonly type: 'apply';
      readonly agreement: Agreement;
      readonly offered: readonly CodecName[];
      readonly trust?: MediaTrust | undefined;
    }
  /** A digit that arrived in the signalling. */
  | { readonly type: 'signaled-digit'; readonly digit: DtmfDigit }
  | { readonly type: 'send-dtmf'; readonly digits: string; readonly toneMs: number }
  /** Commands of a leg without a media plane: emit the far end's frames and digits, and send single frames. */
  | { readonly type: 'listen' }
  | { readonly type: 'send-frame'; readonly frame: Uint8Array }
  | { readonly type: 'forward'; readonly to: number }
  | { readonly type: 'measure' }
  | { readonly type: 'close' }
  /** Starts the media plane. */
  | { readonly type: 'start'; readonly settings: PlaneSettings }
  | { readonly type: 'open-utterance'; readonly utterance: number }
  | { readonly type: 'play'; readonly utterance: number; readonly audio: Uint8Array }
  | { readonly type: 'finish-utterance'; readonly utterance: number }
  | { readonly type: 'set-level'; readonly db: number }
  | { readonly type: 'set-hold'; readonly isOnHold: boolean }
  /** `generation` counts the clears. Pauses need no command: the worker reads them from the meter. */
  | { readonly type: 'clear'; readonly generation: number }
  /** Starts or stops the `monitored` events. */
  | { readonly type: 'monitor'; readonly isOn: boolean }
  | { readonly type: 'set-metered'; readonly isMetered: boolean }
  | { readonly type: 'set-taken-over'; readonly isTakenOver: boolean }
  | { readonly type: 'speak'; readonly frame: Uint8Array }
  | { readonly type: 'stop' }
);

/** The commands that the media plane of a leg executes. */
export type PlaneCommand = Extract<
  MediaCommand,
  {
    type:
      | 'start'
      | 'open-utterance'
      | 'play'
      | 'finish-utterance'
      | 'set-level'
      | 'set-hold'
      | 'clear'
      | 'monitor'
      | 'set-metered'
      | 'set-taken-over'
      | 'speak'
      | 'stop';
  }
>;

/** An event of a leg in the worker; plain data, in order. The far end's frames are passed in shared memory. */
export type MediaWorkerEvent = { readonly leg: number } & (
  | { readonly type: 'opened'; readonly port: number }
  | { readonly type: 'open-failed'; readonly message: string; readonly code: string | undefined }
  /** A digit of the far end, on a leg without a media plane. */
  | { readonly type: 'dtmf'; readonly digit: DtmfDigit }
  | { readonly type: 'measured'; readonly statistics: MediaStatistics }
  /** The last event of a leg. */
  | { readonly type: 'closed'; readonly statistics: MediaStatistics }
  /** An event of the media plane at `atMs`. */
  | { readonly type: 'plane'; readonly event: PlaneEvent; readonly atMs: number }
  | { readonly type: 'playout'; readonly event: PlayoutEvent; readonly generation: number; readonly atMs: number }
  /** Frames for the recording, written by a `RecordingRelay`. */
  | { readonly type: 'recorded'; readonly frames: FrameBatch }
  /** Frames for the listener set by `monitor`, written by another `RecordingRelay`. */
  | { readonly type: 'monitored'; readonly frames: FrameBatch }
  /** The last event of a media plane. */
  | { readonly type: 'stopped' }
);

/** Events of a media plane, except those of its playout. */
type PlaneEvent = Exclude<MediaEvent, { type: 'playout' | 'playout-cleared' }>;

/** A message to the worker: commands in order, or `stop` as the last one. */
export type ToWorker = readonly MediaCommand[] | 'stop';

/** A message of the worker. The audio was received before the events occurred. */
export interface MediaWorkerBatch {
  /** Frames of 8 kHz legs. The tag is the leg's id, plus `lostFrame` for a lost frame. */
  readonly audio: FrameBatch;
  /** Frames of 16 kHz legs, in a buffer of their own, because they are larger. */
  readonly wideAudio?: FrameBatch;
  readonly events: readonly MediaWorkerEvent[];
  readonly log: readonly LogLine[];
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export const frameBytes: number = legAudio.pcmu.frameBytes;
export const wideFrameBytes: number = legAudio.pcm16.frameBytes;
export const lostFrame = 0x8000_0000;

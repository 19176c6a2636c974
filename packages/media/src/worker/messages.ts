import type { G711Encoding } from '../codec/g711.ts';
import type { MediaEvent, MediaSettings } from '../plane/media-control.ts';
import type { AmbientSettings } from '../playout/ambient-settings.ts';
import type { PlayoutEvent } from '../playout/playout.ts';
import type { VadSettings } from '../vad/vad-settings.ts';
import type { FrameNews } from './shared-frames.ts';

/** What of a call's media settings goes to the thread in which its media plane runs. */
export interface PlaneSettings extends Pick<MediaSettings, 'mediaTimeout'> {
  readonly encoding: G711Encoding;
  readonly vad: VadSettings;
  readonly ambient: AmbientSettings | undefined;
  readonly isRecorded: boolean;
  /**
   * Where the detector is made: that of the product, a module that exports `createDetector`, or null for the other
   * thread.
   */
  readonly detector: 'silero' | { readonly module: string } | null;
  /** The word of a `HeardMeter`. */
  readonly heard: SharedArrayBuffer;
}

/** What the thread that plays is to do; pauses it reads from the meter. `generation` counts the clears before it. */
export type PlayoutCommand =
  | { type: 'open'; utterance: number }
  | { type: 'play'; utterance: number; audio: Uint8Array }
  | { type: 'finish'; utterance: number }
  | { type: 'clear'; generation: number };

/** What a media plane in another thread is told; plain data. They are to be carried out in their order. */
export type MediaCommand =
  | { type: 'start'; settings: PlaneSettings }
  | { type: 'playout'; command: PlayoutCommand }
  | { type: 'stop' };

/** What a media plane in another thread tells, in its order, apart from the caller's audio; plain data. */
export type MediaHappening =
  | { type: 'played'; event: PlayoutEvent; generation: number; atMs: number }
  | { type: 'event'; event: Exclude<MediaEvent, { type: 'playout' | 'playout-cleared' }>; atMs: number }
  /** As `RecordingRelay` gathers it. */
  | { type: 'recorded'; news: FrameNews }
  /** The last. */
  | { type: 'stopped' };

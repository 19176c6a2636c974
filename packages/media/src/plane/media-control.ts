import type { G711Encoding } from '../codec/g711.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import type { AmbientSettings } from '../playout/ambient-settings.ts';
import type { CutOff, PlayoutEvent } from '../playout/playout.ts';
import type { RecordingSink } from '../recording/recording-sink.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { SpeechEvent } from '../vad/speech-detector.ts';
import type { VadBatcher } from '../vad/vad-batcher.ts';
import type { VadSettings } from '../vad/vad-settings.ts';
import type { Ticker } from './ticker.ts';

/** What the media plane tells the control plane. Plain data, so that it can come from another thread. */
export type MediaEvent =
  | SpeechEvent
  | { type: 'playout'; event: PlayoutEvent }
  | { type: 'playout-cleared'; cut: readonly CutOff[] }
  | { type: 'dtmf'; digit: DtmfDigit }
  /** The first frame of the far end has come. */
  | { type: 'media-started' }
  /** Nothing has come from the far end for the media time-out. */
  | { type: 'media-lost'; silentMs: number }
  /** The far end has put the call on hold, by not listening or by not sending, and taken it back. */
  | { type: 'held' }
  | { type: 'resumed' }
  /** Something on the frames' way threw: the call cannot go on. */
  | { type: 'media-failed'; message: string };

/** What the conversation has of a call's media, in whatever thread they are. */
export interface MediaControl {
  start(): void;
  /** Nothing is told from here on. Resolves when the recording has all that there is. */
  stop(): Promise<void>;
  /** Utterances are played in the order in which they are opened. */
  open(utterance: number): void;
  /** Audio of any length, in the leg's encoding. */
  play(utterance: number, audio: Uint8Array): void;
  finish(utterance: number): void;
  /** From the next tick on the far end hears no agent, until `resume`, which goes on with the very next sample. */
  pause(): void;
  resume(): void;
  /**
   * Stops the agent's audio: nothing queued leaves after this call. Ends a pause. Tells `playout-cleared` before it
   * returns.
   */
  clear(): void;
}

/** What a call's media are to do, and whom they tell. */
export interface MediaSettings {
  readonly encoding: G711Encoding;
  readonly vad: VadSettings;
  /** What is heard behind the agent, and while it is silent. Without it frames go out as they were played. */
  readonly ambient?: AmbientSettings | undefined;
  readonly recording: RecordingSink | null;
  /** Ends the call when nothing was received for so long; before the first frame `initialMs` counts. */
  readonly mediaTimeout: { readonly initialMs: number; readonly generalMs: number };
  readonly onEvent: (event: MediaEvent, atMs: number) => void;
  /** The caller's next frame, as it came, for recognition. Valid until it returns. */
  readonly onAudio: (codes: Uint8Array) => void;
}

/** What the media of all calls of a thread share. */
export interface MediaThread {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ticker: Ticker;
  readonly judge: VadBatcher;
}

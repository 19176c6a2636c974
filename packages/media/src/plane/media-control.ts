import type { LegEncoding } from '../codec/leg-encoding.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import type { BackgroundSound } from '../playout/background-sound.ts';
import type { CutOff, PlayoutEvent } from '../playout/playout.ts';
import type { RecordingSink } from '../recording/recording-sink.ts';
import type { FrameRecording } from '../recording/stereo-recording.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { SpeechEvent } from '../vad/speech-detector.ts';
import type { VadBatcher } from '../vad/vad-batcher.ts';
import type { VadSettings } from '../vad/vad-settings.ts';
import type { Levels } from './level-meter.ts';
import type { Ticker } from './ticker.ts';

/** Events of the media plane for the control plane. Plain data, so that they can come from another thread. */
export type MediaEvent =
  | SpeechEvent
  | { type: 'playout'; event: PlayoutEvent }
  | { type: 'playout-cleared'; cut: readonly CutOff[] }
  | { type: 'dtmf'; digit: DtmfDigit }
  /** First frame of the far end. */
  | { type: 'media-started' }
  /** No media of the far end for the media timeout. */
  | { type: 'media-lost'; silentMs: number }
  /** The far end put the call on hold, by not listening or not sending, or resumed it. */
  | { type: 'held' }
  | { type: 'resumed' }
  /** Loudness of both sides in the last 400 ms. Emitted if it has changed, after `setMetered(true)`. */
  | ({ type: 'levels' } & Levels)
  /** The media path threw: the call cannot continue. */
  | { type: 'media-failed'; message: string };

/** Controls the media of a call, which may run in another thread. */
export interface MediaControl {
  start(): void;
  /** Stops emitting events. Resolves once the recording is flushed. */
  stop(): Promise<void>;
  /** Adds an utterance. Utterances are played in the order in which they are opened. */
  open(utterance: number): void;
  /** Appends audio of any length, in the leg's encoding. */
  play(utterance: number, audio: Uint8Array): void;
  finish(utterance: number): void;
  /** Stops the agent's audio from the next tick, until `resume`, which continues with the next sample. */
  pause(): void;
  resume(): void;
  /**
   * Changes the level of the agent's voice to this many dB (0 or less) within 40 ms of its audio. Lowered audio counts
   * as heard. `clear` restores the full level.
   */
  setLevel(db: number): void;
  /** Plays the music on hold in place of the background sound, while the caller waits. */
  setHold(isOnHold: boolean): void;
  /**
   * Drops the agent's audio: nothing queued is sent after this call. Ends a pause. Emits `playout-cleared` before it
   * returns.
   */
  clear(): void;
  /** Passes the audio of both sides to one listener, a pair of frames every 20 ms; null stops this. */
  monitor(listener: FrameRecording | null): void;
  /** Starts or stops the `levels` events. */
  setMetered(isMetered: boolean): void;
  /** If true, sends the frames given to `speak` in place of the agent's audio; if false, the agent's audio again. */
  setTakenOver(isTakenOver: boolean): void;
  /**
   * Takes a frame of the supervisor who has taken over, in the leg's encoding. Ignored unless the call is taken over.
   */
  speak(frame: Uint8Array): void;
}

/** Settings and listeners of a call's media. */
export interface MediaSettings {
  readonly encoding: LegEncoding;
  readonly vad: VadSettings;
  /** Sound behind the agent, also while it is silent. Without it, the agent's frames are sent unchanged. */
  readonly ambient?: BackgroundSound | undefined;
  /** Music on hold. Without it, `ambient` continues. */
  readonly hold?: BackgroundSound | undefined;
  readonly recording: RecordingSink | null;
  /** Time without media after which `media-lost` is emitted; `initialMs` applies before the first frame. */
  readonly mediaTimeout: { readonly initialMs: number; readonly generalMs: number };
  readonly onEvent: (event: MediaEvent, atMs: number) => void;
  /** Takes the caller's next encoded frame, for recognition. The buffer is valid until the callback returns. */
  readonly onAudio: (frame: Uint8Array) => void;
}

/** Dependencies shared by the media of all calls of a thread. */
export interface MediaThread {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ticker: Ticker;
  readonly judge: VadBatcher;
}

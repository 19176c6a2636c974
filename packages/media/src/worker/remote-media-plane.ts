import { NarrowDecoder } from '../codec/frame.ts';
import type { MediaControl, MediaSettings, MediaThread } from '../plane/media-control.ts';
import { type FrameRecording, StereoRecording } from '../recording/stereo-recording.ts';
import { toError } from '../runtime/errors.ts';
import { loadSileroVad } from '../vad/silero.ts';
import { SpeechDetector } from '../vad/speech-detector.ts';
import type { VoiceActivityDetector } from '../vad/voice-activity.ts';
import { HeardMeter } from './heard-meter.ts';
import type { MediaWorkerEvent, PlaneCommand, PlaneSettings } from './messages.ts';
import { RecordingReplay } from './recording-relay.ts';
import { RemotePlayout } from './remote-playout.ts';
import type { FrameBatch } from './shared-frames.ts';

/** Posts a command to the worker. `transfer` is moved there instead of copied. */
type PostCommand = (command: PlaneCommand, transfer?: ArrayBuffer) => void;

/** Controls a media plane that runs in another thread (`MediaPlaneServer`). */
export class RemoteMediaPlane implements MediaControl {
  readonly #leg: number;
  readonly #settings: MediaSettings;
  readonly #thread: MediaThread;
  readonly #post: PostCommand;
  readonly #meter = new HeardMeter();
  readonly #playout: RemotePlayout;
  readonly #detector: PlaneSettings['detector'];
  /** Set if the detector can only run in this thread. */
  readonly #speech: SpeechDetector | null;
  readonly #narrow: NarrowDecoder;
  readonly #settled: Promise<void>;
  #settle: () => void = () => {};
  #isStopped = false;
  #recording: RecordingReplay | null;
  /** Kept after its first use, because the worker continues to write to the same memory. */
  #monitor: RecordingReplay | null = null;
  #listener: FrameRecording | null = null;

  /** @param leg id of the leg in the worker */
  constructor(leg: number, settings: MediaSettings, thread: MediaThread, post: PostCommand) {
    const { vad, onEvent, encoding, recording } = settings;
    const { clock, judge } = thread;
    this.#leg = leg;
    this.#settings = settings;
    this.#thread = thread;
    this.#post = post;
    this.#recording = recording && new RecordingReplay(encoding, new StereoRecording(encoding, recording));
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#playout = new RemotePlayout(encoding, this.#meter, (event, atMs) =>
      onEvent({ type: 'playout', event }, atMs),
    );
    this.#narrow = new NarrowDecoder(encoding);
    this.#detector = detectorOf(judge.detector);
    const fail = (error: Error): void => onEvent({ type: 'media-failed', message: error.message }, clock.nowMs());
    this.#speech =
      this.#detector === null ? new SpeechDetector(judge, vad, (event) => onEvent(event, clock.nowMs()), fail) : null;
  }

  start(): void {
    const { encoding, vad, ambient, hold, mediaTimeout, recording } = this.#settings;
    const settings: PlaneSettings = {
      encoding,
      vad,
      ambient,
      hold,
      mediaTimeout,
      isRecorded: recording !== null,
      detector: this.#detector,
      heard: this.#meter.shared,
    };
    this.#post({ type: 'start', leg: this.#leg, settings });
  }

  stop(): Promise<void> {
    if (!this.#isStopped) {
      this.#isStopped = true;
      this.#speech?.stop();
      this.#post({ type: 'stop', leg: this.#leg });
    }
    return this.#settled;
  }

  open(utterance: number): void {
    this.#playout.open(utterance);
    this.#post({ type: 'open-utterance', leg: this.#leg, utterance });
  }

  play(utterance: number, audio: Uint8Array): void {
    if (!this.#playout.take(utterance, audio.length)) return;
    const copy = new Uint8Array(audio);
    this.#post({ type: 'play', leg: this.#leg, utterance, audio: copy }, copy.buffer);
  }

  finish(utterance: number): void {
    this.#playout.finish(utterance);
    this.#post({ type: 'finish-utterance', leg: this.#leg, utterance });
  }

  pause(): void {
    this.#playout.pause();
  }

  resume(): void {
    this.#playout.resume();
  }

  setHold(isOnHold: boolean): void {
    this.#post({ type: 'set-hold', leg: this.#leg, isOnHold });
  }

  setLevel(db: number): void {
    this.#post({ type: 'set-level', leg: this.#leg, db });
  }

  clear(): void {
    const { generation, cut } = this.#playout.clear();
    this.#post({ type: 'clear', leg: this.#leg, generation });
    this.#settings.onEvent({ type: 'playout-cleared', cut }, this.#thread.clock.nowMs());
  }

  monitor(listener: FrameRecording | null): void {
    this.#listener = listener;
    this.#monitor ??= new RecordingReplay(this.#settings.encoding, {
      write: (caller, agent) => this.#listener?.write(caller, agent),
    });
    this.#post({ type: 'monitor', leg: this.#leg, isOn: listener !== null });
  }

  setMetered(isMetered: boolean): void {
    this.#post({ type: 'set-metered', leg: this.#leg, isMetered });
  }

  setTakenOver(isTakenOver: boolean): void {
    this.#post({ type: 'set-taken-over', leg: this.#leg, isTakenOver });
  }

  speak(frame: Uint8Array): void {
    const copy = new Uint8Array(frame);
    this.#post({ type: 'speak', leg: this.#leg, frame: copy }, copy.buffer);
  }

  /** Takes the caller's next frame, which is valid until this method returns. */
  onFrame(payload: Uint8Array): void {
    if (this.#isStopped) return;
    try {
      this.#settings.onAudio(payload);
      this.#speech?.push(this.#narrow.decode(payload), this.#thread.clock.nowMs());
    } catch (thrown) {
      this.#thread.logger.error({ err: toError(thrown) }, 'the media of a call failed');
      this.onLost(toError(thrown).message);
    }
  }

  onEvent(event: MediaWorkerEvent): void {
    switch (event.type) {
      case 'playout':
        if (!this.#isStopped) this.#playout.onWorkerEvent(event.event, event.generation, event.atMs);
        return;
      case 'plane':
        if (!this.#isStopped) this.#settings.onEvent(event.event, event.atMs);
        return;
      case 'recorded':
        this.#record(event.frames);
        return;
      case 'monitored':
        this.#monitor?.replay(event.frames);
        return;
      case 'stopped':
        this.settle();
    }
  }

  /** Resolves the promise of `stop`. Called after the last event. */
  settle(): void {
    this.#settle();
  }

  /** Reports that the media cannot continue. */
  onLost(message: string): void {
    if (!this.#isStopped) this.#settings.onEvent({ type: 'media-failed', message }, this.#thread.clock.nowMs());
  }

  #record(frames: FrameBatch): void {
    try {
      this.#recording?.replay(frames);
    } catch (thrown) {
      this.#thread.logger.error({ err: toError(thrown) }, 'the recording of a call stopped');
      this.#recording = null;
    }
  }
}

/** Returns the detector that the worker must load: built-in or a module; null if it must run in this thread. */
function detectorOf(detector: VoiceActivityDetector): PlaneSettings['detector'] {
  if (detector === loadSileroVad()) return 'silero';
  return detector.module === undefined ? null : { module: detector.module };
}

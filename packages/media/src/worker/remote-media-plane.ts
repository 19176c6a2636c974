import { decodeFrame } from '../codec/frame.ts';
import type { MediaControl, MediaSettings, MediaThread } from '../plane/media-control.ts';
import { StereoRecording } from '../recording/stereo-recording.ts';
import { toError } from '../runtime/errors.ts';
import { loadSileroVad } from '../vad/silero.ts';
import { SpeechDetector } from '../vad/speech-detector.ts';
import type { VoiceActivityDetector } from '../vad/voice-activity.ts';
import { HeardMeter } from './heard-meter.ts';
import type { MediaCommand, MediaHappening, PlaneSettings } from './messages.ts';
import { RecordingReplay } from './recording-relay.ts';
import { DistantPlayout } from './remote-playout.ts';
import type { FrameNews } from './shared-frames.ts';

/** `transfer` is what the other thread may be given rather than a copy. */
type Post = (command: MediaCommand, transfer?: ArrayBuffer) => void;

/** A media plane that runs in another thread (`HostedMedia`), as the conversation sees it. */
export class DistantMedia implements MediaControl {
  readonly #settings: MediaSettings;
  readonly #thread: MediaThread;
  readonly #post: Post;
  readonly #meter = new HeardMeter();
  readonly #playout: DistantPlayout;
  readonly #detector: PlaneSettings['detector'];
  /** Where the detector cannot be had there, it is asked here. */
  readonly #speech: SpeechDetector | null;
  readonly #settled: Promise<void>;
  #settle: () => void = () => {};
  #isStopped = false;
  #recording: RecordingReplay | null;

  constructor(settings: MediaSettings, thread: MediaThread, post: Post) {
    const { vad, onEvent, encoding, recording } = settings;
    const { clock, judge } = thread;
    this.#settings = settings;
    this.#thread = thread;
    this.#post = post;
    this.#recording = recording && new RecordingReplay(new StereoRecording(encoding, recording));
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#playout = new DistantPlayout(
      this.#meter,
      (command) => post({ type: 'playout', command }, command.type === 'play' ? bufferOf(command.audio) : undefined),
      (event, atMs) => onEvent({ type: 'playout', event }, atMs),
    );
    this.#detector = placeOf(judge.detector);
    const fail = (error: Error): void => onEvent({ type: 'media-failed', message: error.message }, clock.nowMs());
    this.#speech =
      this.#detector === null ? new SpeechDetector(judge, vad, (event) => onEvent(event, clock.nowMs()), fail) : null;
  }

  start(): void {
    const { encoding, vad, ambient, mediaTimeout, recording } = this.#settings;
    const settings = { encoding, vad, ambient, mediaTimeout, isRecorded: recording !== null };
    const plane = { ...settings, detector: this.#detector, heard: this.#meter.shared };
    this.#post({ type: 'start', settings: plane });
  }

  stop(): Promise<void> {
    if (!this.#isStopped) {
      this.#isStopped = true;
      this.#speech?.stop();
      this.#post({ type: 'stop' });
    }
    return this.#settled;
  }

  open(utterance: number): void {
    this.#playout.open(utterance);
  }

  play(utterance: number, audio: Uint8Array): void {
    this.#playout.play(utterance, audio);
  }

  finish(utterance: number): void {
    this.#playout.finish(utterance);
  }

  pause(): void {
    this.#playout.pause();
  }

  resume(): void {
    this.#playout.resume();
  }

  clear(): void {
    const cut = this.#playout.clear();
    this.#settings.onEvent({ type: 'playout-cleared', cut }, this.#thread.clock.nowMs());
  }

  /** The caller's next frame. Valid until it returns. */
  hear(codes: Uint8Array): void {
    if (this.#isStopped) return;
    try {
      this.#settings.onAudio(codes);
      this.#speech?.push(decodeFrame(this.#settings.encoding, codes), this.#thread.clock.nowMs());
    } catch (thrown) {
      this.#thread.logger.error({ err: toError(thrown) }, 'the media of a call failed');
      this.lost(toError(thrown).message);
    }
  }

  happened(what: MediaHappening): void {
    switch (what.type) {
      case 'played':
        if (!this.#isStopped) this.#playout.told(what.event, what.generation, what.atMs);
        return;
      case 'event':
        if (!this.#isStopped) this.#settings.onEvent(what.event, what.atMs);
        return;
      case 'recorded':
        this.#record(what.news);
        return;
      case 'stopped':
        this.settle();
    }
  }

  /** Nothing more will be told. */
  settle(): void {
    this.#settle();
  }

  /** The media cannot go on. */
  lost(message: string): void {
    if (!this.#isStopped) this.#settings.onEvent({ type: 'media-failed', message }, this.#thread.clock.nowMs());
  }

  #record(news: FrameNews): void {
    try {
      this.#recording?.replay(news);
    } catch (thrown) {
      this.#thread.logger.error({ err: toError(thrown) }, 'the recording of a call stopped');
      this.#recording = null;
    }
  }
}

function placeOf(detector: VoiceActivityDetector): PlaneSettings['detector'] {
  if (detector === loadSileroVad()) return 'silero';
  return detector.module === undefined ? null : { module: detector.module };
}

function bufferOf({ buffer }: Uint8Array): ArrayBuffer | undefined {
  return buffer instanceof ArrayBuffer ? buffer : undefined;
}

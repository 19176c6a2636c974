import type { MediaControl, MediaSettings, MediaThread } from '@va/core';
import {
  DistantPlayout,
  decodeG711,
  HeardMeter,
  loadSileroVad,
  SpeechDetector,
  toError,
  type VoiceActivityDetector,
} from '@va/core/media';
import { frameBytes, type LegCommand, type LegHappening, type PlaneSettings } from './protocol.ts';

type Post = (command: LegCommand, transfer?: ArrayBuffer) => void;

/** The media plane of a call that runs in a worker, as the conversation sees it. */
export class WorkerMedia implements MediaControl {
  readonly #settings: MediaSettings;
  readonly #thread: MediaThread;
  readonly #post: Post;
  readonly #meter = new HeardMeter();
  readonly #playout: DistantPlayout;
  readonly #detector: PlaneSettings['detector'];
  /** Where the detector cannot be had in the worker, it is asked here. */
  readonly #speech: SpeechDetector | null;
  readonly #samples = new Int16Array(frameBytes);
  readonly #settled: Promise<void>;
  #settle: () => void = () => {};
  #isStopped = false;
  #isRecording = true;

  constructor(settings: MediaSettings, thread: MediaThread, post: Post) {
    const { vad, onEvent } = settings;
    const { clock, judge } = thread;
    this.#settings = settings;
    this.#thread = thread;
    this.#post = post;
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
    this.#post({ type: 'start-plane', settings: plane });
  }

  stop(): Promise<void> {
    if (!this.#isStopped) {
      this.#isStopped = true;
      this.#speech?.stop();
      this.#post({ type: 'stop-plane' });
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
    const nowMs = this.#thread.clock.nowMs();
    const cut = this.#playout.clear(nowMs);
    this.#settings.onEvent({ type: 'playout-cleared', cut }, nowMs);
  }

  /** The caller's next frame. Valid until it returns. */
  hear(codes: Uint8Array): void {
    if (this.#isStopped) return;
    try {
      decodeG711(this.#settings.encoding, codes, this.#samples);
      this.#settings.onAudio(codes, this.#samples);
      this.#speech?.push(this.#samples, this.#thread.clock.nowMs());
    } catch (thrown) {
      this.#thread.logger.error({ err: toError(thrown) }, 'the media of a call failed');
      this.lost(toError(thrown).message);
    }
  }

  happened(what: LegHappening): void {
    switch (what.type) {
      case 'played':
        if (!this.#isStopped) this.#playout.told(what.event, what.generation, what.atMs);
        return;
      case 'media':
        if (!this.#isStopped) this.#settings.onEvent(what.event, what.atMs);
        return;
      case 'recorded':
        this.#record(what.samples);
        return;
      case 'plane-stopped':
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

  #record(samples: Int16Array): void {
    if (!this.#isRecording) return;
    try {
      this.#settings.recording?.write(samples);
    } catch (thrown) {
      this.#thread.logger.error({ err: toError(thrown) }, 'the recording of a call stopped');
      this.#isRecording = false;
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

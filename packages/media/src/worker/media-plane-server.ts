import type { LegEncoding } from '../codec/leg-encoding.ts';
import type { MediaEvent } from '../plane/media-control.ts';
import { MediaPlane, type MediaPlaneOptions } from '../plane/media-plane.ts';
import type { VadBatcher } from '../vad/vad-batcher.ts';
import { HeardMeter } from './heard-meter.ts';
import type { MediaWorkerEvent, PlaneCommand, PlaneSettings } from './messages.ts';
import { RecordingRelay } from './recording-relay.ts';

/** Frames of each side per `recorded` event: half a second. */
const recordedFrames = 25;
/** Frames of each side per `monitored` event: 40 ms. */
const monitoredFrames = 2;

export interface MediaPlaneServerOptions extends Pick<MediaPlaneOptions, 'clock' | 'logger' | 'ticker' | 'leg'> {
  readonly legId: number;
  /** Returns the detector's batcher; null if the main thread detects speech. Throws for an unknown detector. */
  readonly batcherOf: (detector: PlaneSettings['detector']) => VadBatcher | null;
  /** Takes the caller's next encoded frame, which is valid until the callback returns. */
  readonly emitFrame: (payload: Uint8Array) => void;
  readonly emit: (event: MediaWorkerEvent) => void;
}

/** Runs the media plane of a call for a `RemoteMediaPlane` in another thread. */
export class MediaPlaneServer {
  readonly #options: MediaPlaneServerOptions;
  #plane: MediaPlane | null = null;
  #recording: RecordingRelay | null = null;
  /** Kept after its first use, because its reader continues to read the same memory. */
  #monitor: RecordingRelay | null = null;
  #encoding: LegEncoding | null = null;
  /** Generation of the last executed `clear`; 0 before the first. */
  #generation = 0;

  constructor(options: MediaPlaneServerOptions) {
    this.#options = options;
  }

  handle(command: PlaneCommand): void {
    switch (command.type) {
      case 'start':
        this.#start(command.settings);
        return;
      case 'open-utterance':
        this.#plane?.open(command.utterance);
        return;
      case 'play':
        this.#plane?.play(command.utterance, command.audio);
        return;
      case 'finish-utterance':
        this.#plane?.finish(command.utterance);
        return;
      case 'set-level':
        this.#plane?.setLevel(command.db);
        return;
      case 'set-hold':
        this.#plane?.setHold(command.isOnHold);
        return;
      case 'clear':
        this.#generation = command.generation;
        this.#plane?.clear();
        return;
      case 'monitor':
        this.#plane?.monitor(command.isOn ? this.#monitoring() : null);
        return;
      case 'set-metered':
        this.#plane?.setMetered(command.isMetered);
        return;
      case 'set-taken-over':
        this.#plane?.setTakenOver(command.isTakenOver);
        return;
      case 'speak':
        this.#plane?.speak(command.frame);
        return;
      case 'stop':
        this.stop();
        this.#options.emit({ type: 'stopped', leg: this.#options.legId });
    }
  }

  /** Idempotent. */
  stop(): void {
    const plane = this.#plane;
    if (plane === null) return;
    this.#plane = null;
    void plane.stop();
    this.#recording?.flush();
    this.#recording = null;
  }

  #start(settings: PlaneSettings): void {
    const { clock, logger, ticker, leg, legId, batcherOf, emitFrame, emit } = this.#options;
    const meter = new HeardMeter(settings.heard);
    this.#encoding = settings.encoding;
    this.#recording = settings.isRecorded
      ? new RecordingRelay(settings.encoding, recordedFrames, (frames) =>
          emit({ type: 'recorded', leg: legId, frames }),
        )
      : null;
    this.#plane = new MediaPlane({
      ...settings,
      clock,
      logger,
      ticker,
      leg,
      judge: batcherOf(settings.detector),
      recording: this.#recording,
      claim: (samples) => meter.claim(this.#generation, samples),
      onAudio: emitFrame,
      onEvent: (event, atMs) => this.#emit(event, atMs),
    });
    this.#plane.start();
  }

  #monitoring(): RecordingRelay | null {
    const { legId: leg, emit } = this.#options;
    if (this.#encoding === null) return null;
    this.#monitor ??= new RecordingRelay(this.#encoding, monitoredFrames, (frames) =>
      emit({ type: 'monitored', leg, frames }),
    );
    return this.#monitor;
  }

  #emit(event: MediaEvent, atMs: number): void {
    const { legId: leg, emit } = this.#options;
    if (event.type === 'playout')
      emit({ type: 'playout', leg, event: event.event, generation: this.#generation, atMs });
    // `playout-cleared` is not passed on: the main thread has emitted it, with positions from the meter.
    else if (event.type !== 'playout-cleared') emit({ type: 'plane', leg, event, atMs });
  }
}

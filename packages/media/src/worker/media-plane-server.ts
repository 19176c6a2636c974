import type { MediaEvent } from '../plane/media-control.ts';
import { MediaPlane, type MediaPlaneOptions } from '../plane/media-plane.ts';
import type { VadBatcher } from '../vad/vad-batcher.ts';
import { HeardMeter } from './heard-meter.ts';
import type { MediaCommand, MediaHappening, PlaneSettings, PlayoutCommand } from './messages.ts';
import { RecordingRelay } from './recording-relay.ts';

export interface HostedMediaOptions extends Pick<MediaPlaneOptions, 'clock' | 'logger' | 'ticker' | 'leg'> {
  /** Null where the other thread looks for speech itself. Throws where there is none of that name. */
  readonly judgeOf: (detector: PlaneSettings['detector']) => VadBatcher | null;
  /** The caller's next frame, valid until it returns. */
  readonly hear: (codes: Uint8Array) => void;
  readonly tell: (happening: MediaHappening) => void;
}

/** The media plane of a call for a conversation in another thread (`DistantMedia`). */
export class HostedMedia {
  readonly #options: HostedMediaOptions;
  #plane: MediaPlane | null = null;
  #recording: RecordingRelay | null = null;
  /** The clears that were carried out. */
  #generation = 0;

  constructor(options: HostedMediaOptions) {
    this.#options = options;
  }

  do(command: MediaCommand): void {
    if (command.type === 'start') this.#start(command.settings);
    else if (command.type === 'playout') this.#play(command.command);
    else {
      this.stop();
      this.#options.tell({ type: 'stopped' });
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
    const { clock, logger, ticker, leg, judgeOf, hear, tell } = this.#options;
    const meter = new HeardMeter(settings.heard);
    this.#recording = settings.isRecorded ? new RecordingRelay((news) => tell({ type: 'recorded', news })) : null;
    this.#plane = new MediaPlane({
      ...settings,
      ...{ clock, logger, ticker, leg },
      judge: judgeOf(settings.detector),
      recording: this.#recording,
      claim: (samples) => meter.claim(this.#generation, samples),
      onAudio: hear,
      onEvent: (event, atMs) => this.#forward(event, atMs),
    });
    this.#plane.start();
  }

  #forward(event: MediaEvent, atMs: number): void {
    const generation = this.#generation;
    if (event.type === 'playout') this.#options.tell({ type: 'played', event: event.event, generation, atMs });
    // Whoever cleared has read from the meter what that cut off.
    else if (event.type !== 'playout-cleared') this.#options.tell({ type: 'event', event, atMs });
  }

  #play(command: PlayoutCommand): void {
    const plane = this.#plane;
    if (plane === null) return;
    switch (command.type) {
      case 'open':
        plane.open(command.utterance);
        return;
      case 'play':
        plane.play(command.utterance, command.audio);
        return;
      case 'finish':
        plane.finish(command.utterance);
        return;
      case 'clear':
        this.#generation = command.generation;
        plane.clear();
    }
  }
}

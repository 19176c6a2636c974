import {
  type Clock,
  type DtmfDigit,
  g711Silence,
  HeardMeter,
  type Logger,
  type MediaEvent,
  MediaPlane,
  type PlayoutCommand,
  type SpeechJudge,
  type Ticker,
  toError,
  toLeg,
} from '@va/core/media';
import type { RtpLeg } from '../rtp/rtp-leg.ts';
import { audioCodecs } from '../sdp/audio-codec.ts';
import { frameBytes, type LegCommand, type LegHappening, type PlaneSettings } from './protocol.ts';
import { RecordingRelay } from './recording-relay.ts';

/** What the legs of a worker share. */
export interface LegHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ticker: Ticker;
  /** Null where the other thread looks for speech itself. */
  judgeOf(detector: PlaneSettings['detector']): SpeechJudge | null;
  hear(leg: number, frame: Uint8Array | null): void;
  tell(leg: number, happening: LegHappening): void;
  find(leg: number): HostedLeg | undefined;
}

/** A call's media in the worker: its RTP, and the plane where there is a conversation. */
export class HostedLeg {
  readonly #id: number;
  readonly #rtp: RtpLeg;
  readonly #host: LegHost;
  #plane: MediaPlane | null = null;
  #recording: RecordingRelay | null = null;
  /** The clears that were carried out. */
  #generation = 0;

  constructor(id: number, rtp: RtpLeg, host: LegHost) {
    this.#id = id;
    this.#rtp = rtp;
    this.#host = host;
  }

  /** What goes wrong here is the end of this call, and of no other. */
  do(command: LegCommand): void {
    try {
      this.#do(command);
    } catch (thrown) {
      this.#host.logger.error({ err: toError(thrown), command: command.type }, 'a media command failed');
      const event = { type: 'media-failed', message: toError(thrown).message } as const;
      this.#host.tell(this.#id, { type: 'media', event, atMs: this.#host.clock.nowMs() });
    }
  }

  /** Presses a key here that was pressed on another leg. */
  press({ digit, durationMs }: DtmfDigit): void {
    this.#rtp.sendDtmf(digit, Math.max(leastToneMs, durationMs));
  }

  #do(command: LegCommand): void {
    switch (command.type) {
      case 'apply': {
        const { agreement, offered } = command;
        this.#rtp.apply({ ...agreement, codec: audioCodecs[agreement.codec.name] }, offered);
        return;
      }
      case 'told-digit':
        this.#rtp.receiveDigit(command.digit);
        return;
      case 'start-plane':
        this.#startPlane(command.settings);
        return;
      case 'stop-plane':
        this.#stopPlane();
        this.#host.tell(this.#id, { type: 'plane-stopped' });
        return;
      case 'playout':
        this.#play(command.command);
        return;
      case 'listen':
        this.#rtp.onFrame((frame) => this.#host.hear(this.#id, frame));
        this.#rtp.onDtmf((digit) => this.#host.tell(this.#id, { type: 'digit', digit }));
        return;
      case 'send':
        this.#rtp.send(command.frame);
        return;
      case 'press':
        this.#rtp.sendDtmf(command.digits, command.toneMs);
        return;
      case 'forward':
        this.#forwardTo(command.to);
        return;
      case 'measure':
        this.#host.tell(this.#id, { type: 'measured', statistics: this.#rtp.snapshot() });
        return;
      case 'close':
        this.#stopPlane();
        this.#rtp.close();
        this.#host.tell(this.#id, { type: 'closed', statistics: this.#rtp.snapshot() });
    }
  }

  #startPlane(settings: PlaneSettings): void {
    const { clock, logger, ticker } = this.#host;
    const meter = new HeardMeter(settings.heard);
    this.#recording = settings.isRecorded
      ? new RecordingRelay((samples) => this.#host.tell(this.#id, { type: 'recorded', samples }))
      : null;
    this.#plane = new MediaPlane({
      ...settings,
      clock,
      logger,
      ticker,
      leg: this.#rtp,
      judge: this.#host.judgeOf(settings.detector),
      recording: this.#recording,
      claim: (samples) => meter.claim(this.#generation, samples),
      onAudio: (codes) => this.#host.hear(this.#id, codes),
      onEvent: (event, atMs) => this.#forward(event, atMs),
    });
    this.#plane.start();
  }

  #stopPlane(): void {
    void this.#plane?.stop();
    this.#plane = null;
    this.#recording?.flush();
    this.#recording = null;
  }

  #forward(event: MediaEvent, atMs: number): void {
    if (event.type === 'playout') {
      this.#host.tell(this.#id, { type: 'played', event: event.event, generation: this.#generation, atMs });
    } else if (event.type !== 'playout-cleared') {
      // Whoever cleared has read from the meter what that cut off.
      this.#host.tell(this.#id, { type: 'media', event, atMs });
    }
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
      case 'pause':
        plane.pause();
        return;
      case 'resume':
        plane.resume();
        return;
      case 'clear':
        this.#generation = command.generation;
        plane.clear();
    }
  }

  #forwardTo(to: number): void {
    const other = this.#host.find(to);
    if (other === undefined) return;
    const { encoding } = other.#rtp.format;
    if (encoding === 'pcm16') return;
    const convert = toLeg(this.#rtp.format, encoding);
    const silence = new Uint8Array(frameBytes).fill(g711Silence[encoding]);
    this.#rtp.onFrame((frame) => other.#rtp.send(frame === null ? silence : convert(frame)));
    this.#rtp.onDtmf((digit) => other.press(digit));
  }
}

/** A key that is shorter is not heard everywhere. */
const leastToneMs = 40;

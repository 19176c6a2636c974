import { audioCodecs } from '../codec/audio-codec.ts';
import { encodingOf, legAudio } from '../codec/leg-encoding.ts';
import type { OpusLibrary } from '../codec/opus-codec.ts';
import { forwardFrames } from '../plane/forward-frames.ts';
import { Ticker } from '../plane/ticker.ts';
import { RtpLeg } from '../rtp/rtp-leg.ts';
import type { Clock } from '../runtime/clock.ts';
import { toError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { RandomBytes } from '../runtime/random.ts';
import { VadBatcher } from '../vad/vad-batcher.ts';
import { Detectors } from './detectors.ts';
import type { EventBatcher } from './event-batcher.ts';
import { MediaPlaneServer } from './media-plane-server.ts';
import type { MediaCommand } from './messages.ts';

export interface LegServerOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly opus: OpusLibrary | null;
  readonly events: EventBatcher;
}

/** Media of one call in the worker: its RTP, and the media plane of its conversation. */
interface ServedLeg {
  readonly rtp: RtpLeg;
  readonly plane: MediaPlaneServer;
  readonly logger: Logger;
}

/** Executes the commands for the legs of one worker. */
export class LegServer {
  readonly #options: LegServerOptions;
  readonly #ticker: Ticker;
  readonly #detectors: Detectors;
  readonly #legs = new Map<number, ServedLeg>();
  /** Commands of legs whose port is being opened, or whose detector is being loaded. */
  readonly #waiting = new Map<number, MediaCommand[]>();

  constructor(options: LegServerOptions) {
    const { clock, events } = options;
    this.#options = options;
    this.#ticker = new Ticker(clock);
    this.#detectors = new Detectors(
      events.logger,
      (detector) => new VadBatcher(detector, clock, () => this.#ticker.runDueTicks()),
    );
  }

  handle(command: MediaCommand): void {
    const waiting = this.#waiting.get(command.leg);
    if (waiting !== undefined) {
      waiting.push(command);
      return;
    }
    if (command.type === 'open') {
      void this.#after(command.leg, this.#open(command.leg, command.address, command.port), []);
      return;
    }
    const loading = command.type === 'start' ? this.#detectors.load(command.settings.detector) : null;
    if (loading === null) this.#execute(command);
    else void this.#after(command.leg, loading, [command]);
  }

  /** Closes all legs. */
  close(): void {
    for (const leg of [...this.#legs.keys()]) this.#execute({ type: 'close', leg });
  }

  /** Executes the commands in `waiting`, and those for the leg that arrive meanwhile, after `work` has resolved. */
  async #after(leg: number, work: Promise<void>, waiting: MediaCommand[]): Promise<void> {
    this.#waiting.set(leg, waiting);
    await work;
    this.#waiting.delete(leg);
    for (const command of waiting) this.handle(command);
  }

  /** Opens the leg and emits `opened` or `open-failed`. Never rejects. */
  async #open(leg: number, address: string, port: number): Promise<void> {
    const { clock, random, opus, events } = this.#options;
    try {
      const rtp = await RtpLeg.open({ clock, random, opus, address, port, onRead: () => this.#ticker.runDueTicks() });
      // The main thread logs these lines with the logger of the call, which it finds by the leg's id.
      const logger = events.logger.child({ leg });
      const plane = new MediaPlaneServer({
        clock,
        logger,
        ticker: this.#ticker,
        leg: rtp,
        legId: leg,
        batcherOf: (detector) => this.#detectors.batcherOf(detector),
        emitFrame: (payload) => events.emitFrame(leg, payload, payload.length),
        emit: (event) => events.emit(event),
      });
      this.#legs.set(leg, { rtp, plane, logger });
      events.emit({ type: 'opened', leg, port: rtp.port });
    } catch (thrown) {
      const { message, code } = toError(thrown) as NodeJS.ErrnoException;
      events.emit({ type: 'open-failed', leg, message, code });
    }
  }

  /** Executes a command. If it throws, emits `media-failed`, which ends this call and no other. */
  #execute(command: Exclude<MediaCommand, { type: 'open' }>): void {
    const leg = this.#legs.get(command.leg);
    if (leg === undefined) return;
    try {
      this.#dispatch(command, leg);
    } catch (thrown) {
      leg.logger.error({ err: toError(thrown), command: command.type }, 'media command failed');
      const event = { type: 'media-failed', message: toError(thrown).message } as const;
      this.#options.events.emit({ type: 'plane', leg: command.leg, event, atMs: this.#options.clock.nowMs() });
    }
  }

  #dispatch(command: Exclude<MediaCommand, { type: 'open' }>, { rtp, plane }: ServedLeg): void {
    const { events } = this.#options;
    const { leg } = command;
    switch (command.type) {
      case 'apply': {
        const { agreement, offered, trust } = command;
        rtp.apply({ ...agreement, codec: audioCodecs[agreement.codec.name] }, offered, trust);
        return;
      }
      case 'signaled-digit':
        rtp.receiveDigit(command.digit);
        return;
      case 'send-dtmf':
        rtp.sendDtmf(command.digits, command.toneMs);
        return;
      case 'listen':
        rtp.onFrame((frame) => {
          events.emitFrame(leg, frame, legAudio[encodingOf(rtp.format)].frameBytes);
        });
        rtp.onDtmf((digit) => events.emit({ type: 'dtmf', leg, digit }));
        return;
      case 'send-frame':
        rtp.send(command.frame);
        return;
      case 'forward': {
        const to = this.#legs.get(command.to);
        if (to !== undefined) forwardFrames(rtp, to.rtp);
        return;
      }
      case 'measure':
        events.emit({ type: 'measured', leg, statistics: rtp.snapshot() });
        return;
      case 'close':
        this.#legs.delete(leg);
        plane.stop();
        rtp.close();
        events.emit({ type: 'closed', leg, statistics: rtp.snapshot() });
        return;
      default:
        plane.handle(command);
    }
  }
}

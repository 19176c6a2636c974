import { audioCodecs } from '../codec/audio-codec.ts';
import { forwardFrames } from '../plane/forward-frames.ts';
import type { Ticker } from '../plane/ticker.ts';
import type { RtpLeg } from '../rtp/rtp-leg.ts';
import type { Clock } from '../runtime/clock.ts';
import { toError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { VadBatcher } from '../vad/vad-batcher.ts';
import { HostedMedia } from './media-plane-server.ts';
import type { PlaneSettings } from './messages.ts';
import type { LegCommand, LegHappening } from './protocol.ts';

/** What the legs of a worker share. */
export interface LegHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ticker: Ticker;
  /** Null where the other thread looks for speech itself. */
  judgeOf(detector: PlaneSettings['detector']): VadBatcher | null;
  hear(leg: number, frame: Uint8Array | null): void;
  tell(leg: number, happening: LegHappening): void;
  find(leg: number): HostedLeg | undefined;
}

/** A call's media in the worker: its RTP, and the plane where there is a conversation. */
export class HostedLeg {
  readonly #id: number;
  readonly #rtp: RtpLeg;
  readonly #host: LegHost;
  readonly #logger: Logger;
  readonly #media: HostedMedia;

  constructor(id: number, rtp: RtpLeg, host: LegHost) {
    this.#id = id;
    this.#rtp = rtp;
    this.#host = host;
    // The other thread knows whose leg it is.
    this.#logger = host.logger.child({ leg: id });
    this.#media = new HostedMedia({
      ...{ clock: host.clock, logger: this.#logger, ticker: host.ticker, leg: rtp },
      judgeOf: (detector) => host.judgeOf(detector),
      hear: (codes) => host.hear(id, codes),
      tell: (happening) => host.tell(id, { type: 'media', happening }),
    });
  }

  /** What goes wrong here is the end of this call, and of no other. */
  do(command: LegCommand): void {
    try {
      this.#do(command);
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown), command: command.type }, 'a media command failed');
      const event = { type: 'media-failed', message: toError(thrown).message } as const;
      const happening = { type: 'event', event, atMs: this.#host.clock.nowMs() } as const;
      this.#host.tell(this.#id, { type: 'media', happening });
    }
  }

  #do(command: LegCommand): void {
    switch (command.type) {
      case 'apply': {
        const { agreement, offered, trust } = command;
        this.#rtp.apply({ ...agreement, codec: audioCodecs[agreement.codec.name] }, offered, trust);
        return;
      }
      case 'told-digit':
        this.#rtp.receiveDigit(command.digit);
        return;
      case 'media':
        this.#media.do(command.command);
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
        this.#forwardTo(this.#host.find(command.to));
        return;
      case 'measure':
        this.#host.tell(this.#id, { type: 'measured', statistics: this.#rtp.snapshot() });
        return;
      case 'close':
        this.#media.stop();
        this.#rtp.close();
        this.#host.tell(this.#id, { type: 'closed', statistics: this.#rtp.snapshot() });
    }
  }

  #forwardTo(other: HostedLeg | undefined): void {
    if (other !== undefined) forwardFrames(this.#rtp, other.#rtp);
  }
}

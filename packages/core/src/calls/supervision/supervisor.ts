import {
  encodingOf,
  FrameMixer,
  type FrameRecording,
  formatOf,
  type LegEncoding,
  silentFrames,
  toLeg,
} from '@va/media';
import { toError } from '../../errors.ts';
import type { Logger } from '../../ports/logger.ts';
import type { MediaLeg } from '../../ports/telephony.ts';

export interface SupervisorOptions {
  readonly leg: MediaLeg;
  /** Encoding of the call's audio. */
  readonly encoding: LegEncoding;
  /** Takes what the person says, in the call's encoding; null for one who only listens. */
  readonly speak: ((frame: Uint8Array) => void) | null;
  /** Called when the connection of the person has been lost for some seconds. */
  readonly onLost: () => void;
  readonly logger: Logger;
}

/**
 * Frames without a connection after which the person counts as gone: 3 s. During that time, the caller hears silence.
 */
const lostFrames = 150;

/** The audio of a person who has joined a call: hears both sides, or speaks and hears the caller. */
export class Supervisor implements FrameRecording {
  readonly #options: SupervisorOptions;
  readonly #mixer: FrameMixer | null;
  readonly #toPage: (frame: Uint8Array) => Uint8Array;
  #isOver = false;
  #missed = 0;

  /** @throws VaError `unsupported_format` */
  constructor(options: SupervisorOptions) {
    const { leg, encoding, speak } = options;
    const own = encodingOf(leg.format);
    this.#options = options;
    this.#mixer = speak === null ? new FrameMixer(encoding) : null;
    this.#toPage = toLeg(formatOf(encoding), own);
    const toCall = toLeg(leg.format, encoding);
    leg.onFrame((frame) => {
      if (!this.#isOver) speak?.(toCall(frame ?? silentFrames[own]));
    });
    leg.onDtmf(() => {});
  }

  /** Takes a frame of each side of the call. A failure ends the supervisor's audio, not the call. */
  write(caller: Uint8Array, agent: Uint8Array): void {
    if (this.#isOver) return;
    const { leg, logger, onLost } = this.#options;
    this.#missed = leg.sending === false ? this.#missed + 1 : 0;
    if (this.#missed === lostFrames) onLost();
    try {
      leg.send(this.#toPage(this.#mixer?.mix(caller, agent) ?? caller));
    } catch (thrown) {
      this.#isOver = true;
      logger.error({ err: toError(thrown) }, 'the audio of a supervisor failed');
    }
  }

  /** Stops the audio in both directions. */
  close(): void {
    this.#isOver = true;
  }
}

import { g711Silence } from '../audio/g711.ts';
import { frameSamples } from '../media/frame.ts';
import { toLeg } from '../media/transcoder.ts';
import type { MediaLeg } from '../ports/telephony.ts';
import { encodingOf } from './leg-encoding.ts';

/** One end of a bridge. */
export interface BridgeEnd {
  readonly leg: MediaLeg;
  hangup(): void;
}

/**
 * Two people who talk with each other through the service: what one leg hears, the other says, keys included. It lasts until
 * one of them leaves; the other is then hung up.
 */
export class Bridge {
  readonly #caller: BridgeEnd;
  readonly #destination: BridgeEnd;
  /** Resolves when it is over. */
  readonly done: Promise<void>;
  #resolve: () => void = () => {};
  #isOver = false;

  constructor(caller: BridgeEnd, destination: BridgeEnd) {
    this.#caller = caller;
    this.#destination = destination;
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** From here on the legs are the bridge's: whoever listened to them before hears nothing more. */
  start(): void {
    if (this.#isOver) return;
    forward(this.#caller.leg, this.#destination.leg);
    forward(this.#destination.leg, this.#caller.leg);
  }

  /** Somebody has left, or the service closes. Idempotent. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    try {
      this.#caller.hangup();
    } finally {
      this.#destination.hangup();
      this.#resolve();
    }
  }
}

function forward(from: MediaLeg, to: MediaLeg): void {
  if (from.forwardTo?.(to)) return;
  const encoding = encodingOf(to.format);
  const convert = toLeg(from.format, encoding);
  const silence = new Uint8Array(frameSamples).fill(g711Silence[encoding]);
  from.onFrame((frame) => to.send(frame === null ? silence : convert(frame)));
  from.onDtmf(({ digit, durationMs }) => to.sendDtmf?.(digit, Math.max(40, durationMs)));
}

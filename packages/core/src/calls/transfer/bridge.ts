import { forwardFrames } from '@va/media';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { MediaLeg } from '../../ports/telephony.ts';
import { LegPulse } from '../line/leg-pulse.ts';

/** One end of a bridge. */
export interface BridgeEnd {
  readonly leg: MediaLeg;
  hangup(): void;
}

export interface BridgeOptions {
  readonly caller: BridgeEnd;
  readonly destination: BridgeEnd;
  readonly clock: Clock;
  /** One of whom nothing came for so long, and who is not on hold, is gone. */
  readonly mediaTimeoutMs: number;
}

/** How often it is looked whether both are still there, within the media time-out. */
const looks = 5;

/**
 * Two people who talk with each other through the service: what one leg hears, the other says, keys included. It lasts
 * until one of them leaves, or is not heard any more; the other is then hung up.
 */
export class Bridge {
  readonly #options: BridgeOptions;
  /** Resolves when it is over. */
  readonly done: Promise<void>;
  #resolve: () => void = () => {};
  #looking: Timer | null = null;
  #startedAtMs: number | null = null;
  #endedAtMs: number | null = null;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** How long the two have been connected, or were. */
  get lastedMs(): number {
    if (this.#startedAtMs === null) return 0;
    return (this.#endedAtMs ?? this.#options.clock.nowMs()) - this.#startedAtMs;
  }

  /** From here on the legs are the bridge's: whoever listened to them before hears nothing more. */
  start(): void {
    if (this.#endedAtMs !== null || this.#startedAtMs !== null) return;
    const { caller, destination, clock } = this.#options;
    this.#startedAtMs = clock.nowMs();
    this.#watch([forward(caller.leg, destination.leg, clock), forward(destination.leg, caller.leg, clock)]);
  }

  /** Somebody has left, or the service closes. Idempotent. */
  end(): void {
    if (this.#endedAtMs !== null) return;
    const { caller, destination, clock } = this.#options;
    this.#endedAtMs = clock.nowMs();
    this.#looking?.cancel();
    try {
      caller.hangup();
    } finally {
      destination.hangup();
      this.#resolve();
    }
  }

  #watch(pulses: readonly LegPulse[]): void {
    const { clock, mediaTimeoutMs } = this.#options;
    this.#looking = clock.setTimer(mediaTimeoutMs / looks, () => void this.#look(pulses));
  }

  /** Never rejects. */
  async #look(pulses: readonly LegPulse[]): Promise<void> {
    const { clock, mediaTimeoutMs } = this.#options;
    const nowMs = clock.nowMs();
    const silentMs = Math.max(...(await Promise.all(pulses.map((pulse) => pulse.silentMs(nowMs)))));
    if (this.#endedAtMs !== null) return;
    if (silentMs >= mediaTimeoutMs) this.end();
    else this.#watch(pulses);
  }
}

function forward(from: MediaLeg, to: MediaLeg, clock: Clock): LegPulse {
  const pulse = new LegPulse(from, clock.nowMs());
  if (from.forwardTo?.(to)) {
    pulse.forwarded();
    return pulse;
  }
  forwardFrames(from, to, () => pulse.beat(clock.nowMs()));
  return pulse;
}

import { forwardFrames } from '@va/media';
import { defaultToneMs } from '../../domain/numbers/dtmf-keys.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { MediaLeg } from '../../ports/telephony.ts';
import { LegPulse } from '../line/leg-pulse.ts';

/** One end of a bridge. */
interface BridgeEnd {
  readonly leg: MediaLeg;
  hangup(): void;
}

export interface BridgeOptions {
  readonly caller: BridgeEnd;
  readonly destination: BridgeEnd;
  readonly clock: Clock;
  /** Time without media, and not on hold, after which an end counts as gone. */
  readonly mediaTimeoutMs: number;
  /** Keys sent to the destination at the start, in place of the caller's audio; null for none. */
  readonly keysOnAnswer?: string | null;
}

/** Number of checks for media per media timeout. */
const looks = 5;

/**
 * Connects two legs: media and DTMF of each are sent to the other. Lasts until one leg ends or falls silent; the other
 * is then hung up.
 */
export class Bridge {
  readonly #options: BridgeOptions;
  /** Resolves when the bridge has ended. */
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

  /** Duration of the bridge so far, or in total after its end. */
  get lastedMs(): number {
    if (this.#startedAtMs === null) return 0;
    return (this.#endedAtMs ?? this.#options.clock.nowMs()) - this.#startedAtMs;
  }

  /** Takes over both legs: earlier listeners get nothing more. */
  start(): void {
    if (this.#endedAtMs !== null || this.#startedAtMs !== null) return;
    const { caller, destination, clock, keysOnAnswer = null } = this.#options;
    this.#startedAtMs = clock.nowMs();
    this.#watch([forward(caller.leg, destination.leg, clock), forward(destination.leg, caller.leg, clock)]);
    if (keysOnAnswer !== null) destination.leg.sendDtmf?.(keysOnAnswer, defaultToneMs);
  }

  /** Ends the bridge. Idempotent. */
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

  /** Ends the bridge if a leg has been silent for too long. Never rejects. */
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

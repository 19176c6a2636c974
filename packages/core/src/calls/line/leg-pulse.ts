import type { MediaLeg } from '../../ports/telephony.ts';

/** Time since a leg was last heard, from its frames or, if these are forwarded elsewhere, from its packet counters. */
export class LegPulse {
  readonly #leg: MediaLeg;
  #heardAtMs: number;
  #isForwarded = false;
  #packets: number | null = null;

  constructor(leg: MediaLeg, nowMs: number) {
    this.#leg = leg;
    this.#heardAtMs = nowMs;
  }

  /** Records the arrival of a frame. */
  beat(nowMs: number): void {
    this.#heardAtMs = nowMs;
  }

  /** Switches to packet counters: no more frames arrive here. */
  forwarded(): void {
    this.#isForwarded = true;
  }

  /** Returns the time in milliseconds since the leg was heard; 0 on hold. Never rejects. */
  async silentMs(nowMs: number): Promise<number> {
    if (!this.#leg.receiving || (this.#isForwarded && (await this.#hasCountedMore()))) this.#heardAtMs = nowMs;
    return nowMs - this.#heardAtMs;
  }

  /**
   * Returns true if the leg has received packets since the last check. A leg without counters never counts as silent.
   */
  async #hasCountedMore(): Promise<boolean> {
    if (this.#leg.statistics === undefined) return true;
    const packets = (await this.#leg.statistics().catch(() => null))?.received.packets ?? null;
    if (packets === null || packets === this.#packets) return false;
    this.#packets = packets;
    return true;
  }
}

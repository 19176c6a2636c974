import type { MediaLeg } from '../../ports/telephony.ts';

/** When a leg was heard last: told by its frames or, where these go another way, by what it has counted. */
export class LegPulse {
  readonly #leg: MediaLeg;
  #heardAtMs: number;
  #isForwarded = false;
  #packets: number | null = null;

  constructor(leg: MediaLeg, nowMs: number) {
    this.#leg = leg;
    this.#heardAtMs = nowMs;
  }

  /** A frame has come. */
  beat(nowMs: number): void {
    this.#heardAtMs = nowMs;
  }

  /** From here on no frame comes this way. */
  forwarded(): void {
    this.#isForwarded = true;
  }

  /** How long nothing has come from it; 0 while it is on hold. Never rejects. */
  async silentMs(nowMs: number): Promise<number> {
    if (!this.#leg.receiving || (this.#isForwarded && (await this.#hasCountedMore()))) this.#heardAtMs = nowMs;
    return nowMs - this.#heardAtMs;
  }

  /** Of a leg that does not count nobody can say that it is silent. */
  async #hasCountedMore(): Promise<boolean> {
    if (this.#leg.statistics === undefined) return true;
    const packets = (await this.#leg.statistics().catch(() => null))?.received.packets ?? null;
    const isMore = packets !== null && packets !== this.#packets;
    this.#packets = packets;
    return isMore;
  }
}

export interface LaneLimits {
  /** Maximum number of concurrent requests. */
  readonly active: number;
  /** Maximum number of waiting requests. */
  readonly waiting: number;
}

interface Lane {
  active: number;
  readonly waiting: (() => void)[];
}

/** Limits concurrent requests per host, so that a slow host delays only its own webhooks. */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Returns true if one more request may start or wait. */
  hasRoom(host: string): boolean {
    return (this.#lanes.get(host)?.waiting.length ?? 0) < this.#limits.waiting;
  }

  /**
   * Resolves when the request may start, to a function that ends it. Resolves to null at once if too many are waiting.
   */
  async enter(host: string): Promise<(() => void) | null> {
    const lane = this.#lanes.get(host) ?? { active: 0, waiting: [] };
    this.#lanes.set(host, lane);
    if (lane.active >= this.#limits.active) {
      if (lane.waiting.length >= this.#limits.waiting) return null;
      await new Promise<void>((resolve) => lane.waiting.push(resolve));
    } else {
      lane.active += 1;
    }
    return () => this.#leave(host, lane);
  }

  /** Passes the place on to a waiting request. */
  #leave(host: string, lane: Lane): void {
    const next = lane.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    lane.active -= 1;
    if (lane.active === 0) this.#lanes.delete(host);
  }
}

export interface LaneLimits {
  /** How many may be under way at once. */
  readonly active: number;
  /** How many may wait for their turn. */
  readonly waiting: number;
}

interface Lane {
  active: number;
  readonly waiting: (() => void)[];
}

/** A way to each host of its own, of limited width: one that is slow holds up its own traffic and no other. */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Whether one more may enter, or wait to. */
  hasRoom(host: string): boolean {
    return (this.#lanes.get(host)?.waiting.length ?? 0) < this.#limits.waiting;
  }

  /** Resolves when it is one's turn, to the function that ends it; null at once where too many wait already. */
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

  /** Who waits takes the place over. */
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

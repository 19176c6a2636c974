/** Limits of each host. */
interface HostLimits {
  /** Maximum number of concurrent requests. */
  readonly active: number;
  /** Maximum number of waiting requests. */
  readonly waiting: number;
}

interface HostLoad {
  active: number;
  readonly waiting: (() => void)[];
}

/** Limits concurrent requests per host, so that a slow host delays only its own webhooks. */
export class PerHostLimiter {
  readonly #limits: HostLimits;
  readonly #hosts = new Map<string, HostLoad>();

  constructor(limits: HostLimits) {
    this.#limits = limits;
  }

  /** Returns true if one more request may start or wait. */
  hasRoom(host: string): boolean {
    return (this.#hosts.get(host)?.waiting.length ?? 0) < this.#limits.waiting;
  }

  /**
   * Resolves when the request may start, to a function that ends it. Resolves to null at once if too many are waiting.
   */
  async enter(host: string): Promise<(() => void) | null> {
    const load = this.#hosts.get(host) ?? { active: 0, waiting: [] };
    this.#hosts.set(host, load);
    if (load.active >= this.#limits.active) {
      if (load.waiting.length >= this.#limits.waiting) return null;
      await new Promise<void>((resolve) => load.waiting.push(resolve));
    } else {
      load.active += 1;
    }
    return () => this.#leave(host, load);
  }

  /** Starts the next waiting request, if there is one. */
  #leave(host: string, load: HostLoad): void {
    const next = load.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    load.active -= 1;
    if (load.active === 0) this.#hosts.delete(host);
  }
}

import { toError, VaError } from '../runtime/errors.ts';
import type { RandomBytes } from '../runtime/random.ts';

export interface PortRange {
  readonly min: number;
  readonly max: number;
}

/**
 * The ports for media, of all threads: even ones, the odd one beside each being left for RTCP. Which one comes next is
 * random, so that nobody can predict it from a call of their own (RFC 6056); of the free ones it is one of the half
 * that was given back longest ago, so that packets still under way to its last call do not reach the next.
 * @see RFC 3550 §11
 */
export class PortPool {
  /** In the order in which they became free; null where the system gives any port that is free. */
  readonly #free: number[] | null;
  readonly #random: RandomBytes;

  constructor(range: PortRange | undefined, random: RandomBytes) {
    this.#free = range === undefined ? null : evenPorts(range);
    this.#random = random;
    // All have been free for as long.
    if (this.#free !== null) for (let i = this.#free.length; i > 0; i--) this.#free.push(...this.#take(i));
  }

  /**
   * Has a port opened, and gives what that gave. One that another program has is passed over, and tried again in its
   * turn.
   * @throws VaError `rtp_port_unavailable` when none can be opened
   */
  async open<T>(address: string, openAt: (port: number) => Promise<T>): Promise<T> {
    let failure = 'every port of the range is in use';
    for (let attempts = this.#free?.length ?? 1; attempts > 0; attempts--) {
      const port = this.#free === null ? 0 : this.#take(Math.ceil(this.#free.length / 2))[0];
      if (port === undefined) break;
      try {
        return await openAt(port);
      } catch (thrown) {
        this.release(port);
        failure = toError(thrown).message;
        if (!isTaken(thrown)) break;
      }
    }
    const message = `No RTP port can be opened on ${address}: ${failure}. Widen rtpPortRange.`;
    throw new VaError('rtp_port_unavailable', message);
  }

  /** Back to the pool, once its socket is closed. */
  release(port: number): void {
    this.#free?.push(port);
  }

  /** Takes one of the first `count` that are free, at random. */
  #take(count: number): number[] {
    const [a = 0, b = 0, c = 0, d = 0] = this.#random(4);
    const chance = (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) / 2 ** 32;
    return this.#free?.splice(Math.floor(chance * count), 1) ?? [];
  }
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE';
}

function evenPorts({ min, max }: PortRange): number[] {
  const first = min + (min % 2);
  const count = Math.max(0, Math.floor((max - first) / 2) + 1);
  return Array.from({ length: count }, (_, i) => first + i * 2);
}

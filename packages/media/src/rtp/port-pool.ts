import { toError, VaError } from '../runtime/errors.ts';
import type { RandomBytes } from '../runtime/random.ts';

export interface PortRange {
  readonly min: number;
  readonly max: number;
}

/**
 * Pool of media ports of all threads: even ports; the odd port next to each is left for RTCP. Ports are chosen at
 * random, so that nobody can predict the next one from a call of their own (RFC 6056), from the half that has been free
 * for the longest time, so that late packets to an earlier call do not reach the next one.
 * @see RFC 3550 §11
 */
export class PortPool {
  /** Free ports in the order in which they became free; null if the system chooses the ports. */
  readonly #free: number[] | null;
  readonly #random: RandomBytes;

  constructor(range: PortRange | undefined, random: RandomBytes) {
    this.#free = range === undefined ? null : evenPorts(range);
    this.#random = random;
    // Shuffles the ports, which have all been free for the same time.
    if (this.#free !== null) for (let i = this.#free.length; i > 0; i--) this.#free.push(...this.#take(i));
  }

  /**
   * Calls `openAt` for free ports until one can be opened, and returns its result. Ports used by other programs are
   * skipped and retried later.
   * @throws VaError `rtp_port_unavailable` if none can be opened
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

  /** Puts a port whose socket is closed back into the pool. */
  release(port: number): void {
    this.#free?.push(port);
  }

  /**
   * Removes a random one of the first `count` free ports and returns it in an array, which is empty if there is none.
   */
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

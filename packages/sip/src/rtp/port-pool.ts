import { type RandomBytes, toError, VaError } from '@va/core/media';

export interface PortRange {
  readonly min: number;
  readonly max: number;
}

/**
 * The ports for media, of all threads: even ones, the odd one beside each being left for RTCP. A port that was given back
 * is used again last, so that what is still under way to its last call does not come to the next.
 * @see RFC 3550 §11
 */
export class PortPool {
  /** Null where the system gives any port that is free. */
  readonly #free: number[] | null;

  constructor(range: PortRange | undefined, random: RandomBytes) {
    this.#free = range === undefined ? null : evenPorts(range, random);
  }

  /**
   * Has a port opened, and gives what that gave. One that another program has is passed over, and tried again in its turn.
   * @throws VaError `rtp_port_unavailable` when none can be opened
   */
  async open<T>(address: string, openAt: (port: number) => Promise<T>): Promise<T> {
    let failure = 'every port of the range is in use';
    for (let attempts = this.#free?.length ?? 1; attempts > 0; attempts--) {
      const port = this.#free === null ? 0 : this.#free.shift();
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
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE';
}

/** From a place of the range that is a matter of chance: services on one machine do not all begin at the same. */
function evenPorts({ min, max }: PortRange, random: RandomBytes): number[] {
  const first = min + (min % 2);
  const count = Math.max(0, Math.floor((max - first) / 2) + 1);
  const [high = 0, low = 0] = random(2);
  const start = Math.floor((((high << 8) | low) / 0x1_0000) * count);
  return Array.from({ length: count }, (_, i) => first + ((start + i) % count) * 2);
}

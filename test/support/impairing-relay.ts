import { createSocket, type Socket } from 'node:dgram';

/** Impairments of a network. */
export interface Impairment {
  /** Probability that a packet is lost, duplicated, or overtaken by later ones. */
  readonly loss?: number;
  readonly duplication?: number;
  readonly reordering?: number;
  /** Maximum random delay of each packet. */
  readonly jitterMs?: number;
}

/** Delay of an overtaken packet: more than one frame of 20 ms, less than three. */
const overtakenMs = 45;

/**
 * A network between two sides on loopback: forwards packets that arrive at `port` to the other side, or drops them. Any
 * sender that is not the far side is the near side.
 */
export class ImpairingRelay {
  readonly #socket: Socket;
  readonly #timers = new Set<NodeJS.Timeout>();
  #farPort: number | null;
  #nearPort: number | null = null;
  #state: number;
  forwarded = 0;
  lost = 0;

  private constructor(socket: Socket, farPort: number | null, impairment: Impairment, seed: number) {
    this.#socket = socket;
    this.#farPort = farPort;
    this.#state = seed;
    const { loss = 0, duplication = 0, reordering = 0, jitterMs = 0 } = impairment;
    socket.on('message', (bytes, { port }) => {
      const isFar = port === this.#farPort;
      if (!isFar) this.#nearPort = port;
      const to = isFar ? this.#nearPort : this.#farPort;
      const [isLost, isDoubled, isOvertaken, late] = [this.#chance(), this.#chance(), this.#chance(), this.#chance()];
      if (to === null) return;
      if (isLost < loss) {
        this.lost += 1;
        return;
      }
      const delayMs = late * jitterMs + (isOvertaken < reordering ? overtakenMs : 0);
      this.#forward(bytes, to, delayMs);
      if (isDoubled < duplication) this.#forward(bytes, to, delayMs + 5);
    });
  }

  /** @param farPort null while it is not known; `lead` sets it. */
  static async open(farPort: number | null, impairment: Impairment, seed: number): Promise<ImpairingRelay> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => {
      socket.bind(0, '127.0.0.1', resolve);
    });
    return new ImpairingRelay(socket, farPort, impairment, seed);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** Sets the port of the far side. */
  lead(farPort: number): void {
    this.#farPort = farPort;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket.close();
  }

  #forward(bytes: Buffer, to: number, delayMs: number): void {
    this.forwarded += 1;
    if (delayMs === 0) {
      this.#socket.send(bytes, to, '127.0.0.1');
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#socket.send(bytes, to, '127.0.0.1');
    }, delayMs);
    this.#timers.add(timer);
  }

  /** Returns a number from 0 to 1, in the same sequence for the same seed. */
  #chance(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }
}

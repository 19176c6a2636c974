import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Point at which a connection is cut, once: when the provider has sent this many bytes in total. */
interface Cut {
  readonly afterBytes: number;
}

/** A proxy between an adapter and its provider that can cut and stall connections. */
export class FaultProxy {
  readonly #server: Server = createServer();
  readonly #sockets = new Set<Socket>();
  readonly #target: { readonly host: string; readonly port: number };
  #cut: Cut | undefined;
  #silent = false;
  #delayMs = 0;
  #bytes = 0;

  private constructor(target: string) {
    const { hostname, port } = new URL(`tcp://${target}`);
    this.#target = { host: hostname, port: Number(port) };
    this.#server.on('connection', (client) => this.#join(client));
  }

  /** @param target `host:port` of the provider */
  static async open(target: string): Promise<FaultProxy> {
    const line = new FaultProxy(target);
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get host(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `127.0.0.1:${port}`;
  }

  /** Total bytes sent by the provider. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Open connections of the adapter. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Cuts a connection once, after that many further bytes of the provider. */
  cutAfter(bytes: number): void {
    this.#cut = { afterBytes: this.#bytes + bytes };
  }

  /** Drops everything that the provider sends from now on. */
  fallSilent(): void {
    this.#silent = true;
  }

  /** Delays everything that the provider sends. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #join(client: Socket): void {
    const provider = connect(this.#target);
    const part = (): void => {
      client.destroy();
      provider.destroy();
      this.#sockets.delete(client);
    };
    this.#sockets.add(client);
    for (const socket of [client, provider]) socket.on('error', part).on('close', part);
    client.on('data', (data) => provider.write(data));
    provider.on('data', (data) => {
      if (this.#silent) return;
      const forward = (): void => {
        this.#bytes += data.length;
        const beyond = this.#cut === undefined ? -1 : this.#bytes - this.#cut.afterBytes;
        if (beyond < 0) {
          client.write(data);
          return;
        }
        this.#cut = undefined;
        client.write(data.subarray(0, Math.max(0, data.length - beyond)), part);
      };
      if (this.#delayMs === 0) forward();
      else setTimeout(forward, this.#delayMs);
    });
  }
}

import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy that can stop forwarding without closing connections, as in a network outage. */
export class CuttableProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  readonly port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async start(targetPort: () => number): Promise<CuttableProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const proxy = new CuttableProxy(server, typeof address === 'object' && address !== null ? address.port : 0);
    server.on('connection', (socket) => proxy.#take(socket, connect(targetPort(), '127.0.0.1')));
    return proxy;
  }

  /** Stops forwarding in both directions, for new connections too, until `restore`. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  restore(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(from: Socket, to: Socket): void {
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('data', (data) => other.write(data));
      socket.on('end', () => other.end());
      socket.on('error', () => other.destroy());
      socket.on('close', () => this.#sockets.delete(socket));
      if (this.#isCut) socket.pause();
    }
  }
}

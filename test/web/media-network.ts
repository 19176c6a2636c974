import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** The address of the network, beside the one of the service. */
export const networkAddress = '127.0.0.2';
const serviceAddress = '127.0.0.1';

/**
 * The network between browsers and the media port of a service: it passes UDP and TCP on, under another address with
 * the same port, and can lose either.
 */
export class MediaNetwork {
  readonly #udp: UdpSocket;
  readonly #tcp: Server;
  readonly #port: number;
  /** Sockets towards the service, by the address of the browser. */
  readonly #ways = new Map<string, UdpSocket>();
  readonly #sockets = new Set<Socket>();
  /** Packets passed on to the service. */
  readonly passed = { udp: 0, tcp: 0 };
  losesUdp = false;
  losesTcp = false;

  private constructor(port: number) {
    this.#port = port;
    this.#udp = createSocket('udp4');
    this.#udp.on('message', (bytes, { address, port: from }) => {
      if (this.losesUdp) return;
      this.passed.udp += 1;
      this.#wayOf(address, from).send(bytes, port, serviceAddress);
    });
    this.#tcp = createServer((socket) => this.#take(socket));
  }

  /** Returns a port that is free under both addresses. */
  static async freePort(): Promise<number> {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '0.0.0.0', resolve));
    const address = probe.address();
    await new Promise((resolve) => probe.close(resolve));
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  static async start(port: number): Promise<MediaNetwork> {
    const network = new MediaNetwork(port);
    await new Promise<void>((resolve) => network.#udp.bind(port, networkAddress, resolve));
    await new Promise<void>((resolve) => network.#tcp.listen(port, networkAddress, resolve));
    return network;
  }

  /** Drops all packets, in both directions, until `restore`. */
  cut(): void {
    this.losesUdp = true;
    this.losesTcp = true;
    for (const socket of this.#sockets) socket.pause();
  }

  restore(): void {
    this.losesUdp = false;
    this.losesTcp = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const way of this.#ways.values()) way.close();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#udp.close(resolve));
    await new Promise((resolve) => this.#tcp.close(resolve));
  }

  #wayOf(address: string, port: number): UdpSocket {
    const key = `${address} ${port}`;
    const known = this.#ways.get(key);
    if (known !== undefined) return known;
    const way = createSocket('udp4');
    way.on('message', (bytes) => {
      if (!this.losesUdp) this.#udp.send(bytes, port, address);
    });
    this.#ways.set(key, way);
    return way;
  }

  #take(from: Socket): void {
    const to = connect(this.#port, serviceAddress);
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('data', (data) => {
        if (socket === from) this.passed.tcp += 1;
        other.write(data);
      });
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      if (this.losesTcp) socket.pause();
    }
  }
}

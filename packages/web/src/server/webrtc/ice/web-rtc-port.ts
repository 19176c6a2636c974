import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { createServer, isIPv6, type Server } from 'node:net';
import type { Clock, Timer } from '@va/core/adapter';
import { type Endpoint, numericLookup } from '@va/media';
import { parseStun, type StunMessage } from '../stun/message.ts';
import type { CheckResult } from './ice-agent.ts';
import type { MediaPath } from './media-path.ts';
import { TcpConnection } from './tcp-connection.ts';

const bufferBytes = 1 << 20;
/** Paths that a far end may have; the oldest one is dropped for another. Browsers have one per network interface. */
const maxPaths = 16;
/** TCP connections without a valid check: in all, and of one address. */
const maxStrangers = 256;
const maxStrangersPerAddress = 16;
const freePortAttempts = 5;
/** Time for the first valid check of a TCP connection. */
const checkWithinMs = 5_000;

/** A connection that shares the port. */
export interface PortUser {
  /** Names the connection in the checks of its far end. */
  readonly ufrag: string;
  /** Answers a check; null if it is not authentic. */
  check(message: StunMessage, bytes: Buffer, path: MediaPath): CheckResult | null;
  /** Takes a packet of a path that has been checked. */
  receive(packet: Buffer, path: MediaPath): void;
  /** True for the path that the far end has chosen, which is never dropped for another. */
  isSelected(path: MediaPath): boolean;
}

/** A path with a valid check. */
interface KnownPath {
  readonly user: PortUser;
  readonly path: MediaPath;
}

/** A TCP connection without one. */
interface Stranger {
  readonly address: string;
  readonly timer: Timer;
}

export interface WebRtcPortOptions {
  readonly clock: Clock;
  /** Address to bind. */
  readonly address: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly tcp: boolean;
}

/**
 * The UDP and TCP port of all WebRTC calls. A packet belongs to the connection whose check has come by the same path
 * before; checks name their connection. Nothing is kept for strangers, and nothing is sent to them.
 */
export class WebRtcPort {
  readonly #clock: Clock;
  readonly #udp: UdpSocket;
  readonly #users = new Map<string, PortUser>();
  /** By the key of the path. */
  readonly #paths = new Map<string, KnownPath>();
  readonly #connections = new Set<TcpConnection>();
  readonly #strangers = new Map<TcpConnection, Stranger>();
  readonly #strangersByAddress = new Map<string, number>();
  #tcp: Server | null = null;
  #lastConnection = 0;
  #isClosed = false;

  private constructor(clock: Clock, udp: UdpSocket) {
    this.#clock = clock;
    this.#udp = udp;
    udp.on('message', (bytes, from) => this.#receiveUdp(bytes, from));
    // Such as ECONNREFUSED after a far end has closed its port.
    udp.on('error', () => {});
  }

  /** Rejects with the system's error if the port cannot be bound. */
  static async open(options: WebRtcPortOptions): Promise<WebRtcPort> {
    // A free port of UDP may be in use in TCP.
    for (let attempts = options.port === 0 ? freePortAttempts : 1; attempts > 1; attempts--) {
      const opened = await WebRtcPort.#open(options).catch(() => null);
      if (opened !== null) return opened;
    }
    return await WebRtcPort.#open(options);
  }

  static async #open({ clock, address, port, tcp }: WebRtcPortOptions): Promise<WebRtcPort> {
    const opened = new WebRtcPort(clock, await bindUdp(address, port));
    try {
      if (tcp) await opened.#listen(address);
    } catch (thrown) {
      await opened.close();
      throw thrown;
    }
    return opened;
  }

  get port(): number {
    return this.#udp.address().port;
  }

  get hasTcp(): boolean {
    return this.#tcp !== null;
  }

  add(user: PortUser): void {
    this.#users.set(user.ufrag, user);
  }

  /** Drops the paths of a connection. */
  remove(user: PortUser): void {
    this.#users.delete(user.ufrag);
    for (const { path } of this.#pathsOf(user)) this.#drop(path);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const connection of this.#connections) {
      this.#noStranger(connection);
      connection.close();
    }
    const tcp = this.#tcp;
    await Promise.all([
      new Promise<void>((resolve) => this.#udp.close(resolve)),
      new Promise<void>((resolve) => (tcp === null ? resolve() : tcp.close(() => resolve()))),
    ]);
  }

  async #listen(address: string): Promise<void> {
    const tcp = createServer((socket) => {
      this.#lastConnection += 1;
      const connection = new TcpConnection(socket, this.#lastConnection, {
        onPacket: (packet) => this.#receive(packet, connection.key, connection),
        onClose: () => this.#closed(connection),
      });
      this.#connections.add(connection);
      this.#expectCheck(connection);
    });
    await new Promise<void>((resolve, reject) => {
      tcp.once('error', reject);
      tcp.listen(this.port, address, () => {
        tcp.off('error', reject);
        // Such as EMFILE for a connection, which then is not accepted.
        tcp.on('error', () => {});
        resolve();
      });
    });
    this.#tcp = tcp;
  }

  #expectCheck(connection: TcpConnection): void {
    const { address } = connection.remote;
    const ofAddress = this.#strangersByAddress.get(address) ?? 0;
    if (this.#strangers.size >= maxStrangers || ofAddress >= maxStrangersPerAddress) {
      connection.close();
      return;
    }
    this.#strangersByAddress.set(address, ofAddress + 1);
    this.#strangers.set(connection, { address, timer: this.#clock.setTimer(checkWithinMs, () => connection.close()) });
  }

  #noStranger(connection: TcpConnection): void {
    const stranger = this.#strangers.get(connection);
    if (stranger === undefined) return;
    stranger.timer.cancel();
    this.#strangers.delete(connection);
    const left = (this.#strangersByAddress.get(stranger.address) ?? 1) - 1;
    if (left === 0) this.#strangersByAddress.delete(stranger.address);
    else this.#strangersByAddress.set(stranger.address, left);
  }

  #closed(connection: TcpConnection): void {
    this.#noStranger(connection);
    this.#connections.delete(connection);
    this.#paths.delete(connection.key);
  }

  #receiveUdp(bytes: Buffer, { address, port }: RemoteInfo): void {
    this.#receive(bytes, `${address} ${port}`, { address, port });
  }

  /** @param from the TCP connection, or the address of a datagram */
  #receive(packet: Buffer, key: string, from: TcpConnection | Endpoint): void {
    const known = this.#paths.get(key);
    const first = packet[0];
    if (first === undefined || this.#isClosed) return;
    // 0 to 3 is STUN. @see RFC 7983 §7
    if (first > 3) known?.user.receive(packet, known.path);
    else this.#check(packet, known?.path ?? (from instanceof TcpConnection ? from : this.#udpPath(key, from)));
  }

  #check(packet: Buffer, path: MediaPath): void {
    const message = parseStun(packet);
    const [ufrag = ''] = message?.username?.split(':', 1) ?? [];
    const user = this.#users.get(ufrag);
    const result = message === null || user === undefined ? null : user.check(message, packet, path);
    if (result === null || user === undefined) {
      // A datagram may have a forged address; a connection that begins with something else is of no use.
      if (path instanceof TcpConnection && this.#strangers.has(path)) path.close();
      return;
    }
    path.send(result.response);
    if (result.isValid) this.#admit(user, path);
  }

  #admit(user: PortUser, path: MediaPath): void {
    const known = this.#paths.get(path.key);
    if (known?.user === user) return;
    const others = this.#pathsOf(user);
    const oldest = others.find((each) => !user.isSelected(each.path));
    if (others.length >= maxPaths && oldest !== undefined) this.#drop(oldest.path);
    if (path instanceof TcpConnection) this.#noStranger(path);
    this.#paths.set(path.key, { user, path });
  }

  #pathsOf(user: PortUser): KnownPath[] {
    return [...this.#paths.values()].filter((each) => each.user === user);
  }

  #drop(path: MediaPath): void {
    this.#paths.delete(path.key);
    path.close();
  }

  #udpPath(key: string, remote: Endpoint): MediaPath {
    return {
      key,
      remote,
      isOpen: true,
      send: (bytes) => {
        if (this.#isClosed) return;
        try {
          // Without a callback, which would cost a turn of the queue per packet: failures are emitted as events.
          this.#udp.send(bytes, remote.port, remote.address);
        } catch {
          // A datagram can name a port that cannot be sent to, such as 0.
        }
      },
      close: () => {},
    };
  }
}

function bindUdp(address: string, port: number): Promise<UdpSocket> {
  return new Promise((resolve, reject) => {
    const type = isIPv6(address) ? 'udp6' : 'udp4';
    const socket = createSocket({
      type,
      recvBufferSize: bufferBytes,
      sendBufferSize: bufferBytes,
      lookup: numericLookup,
    });
    const fail = (error: Error): void => {
      socket.close();
      reject(error);
    };
    socket.once('error', fail);
    socket.bind(port, address, () => {
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

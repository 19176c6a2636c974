import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { createServer, isIPv6, type Server } from 'node:net';
import type { Clock, Timer } from '@va/core/adapter';
import { type Endpoint, numericLookup } from '@va/media';
import { parseStun, type StunMessage } from '../stun/message.ts';
import type { CheckResult } from './ice-agent.ts';
import type { MediaPath } from './media-path.ts';
import { TcpConnection } from './tcp-connection.ts';

const bufferBytes = 1 << 20;
/**
 * Maximum number of paths per connection; beyond it, the oldest path that is not selected is evicted. Browsers have one
 * path per network interface.
 */
const maxPaths = 16;
/** Maximum number of TCP connections without a valid check, in total and per address. */
const maxUnchecked = 256;
const maxUncheckedPerAddress = 16;
const freePortAttempts = 5;
/** Timeout for the first valid check of a TCP connection. */
const checkWithinMs = 5_000;

/** A connection that shares the port. */
export interface PortUser {
  /** ICE username fragment, which identifies the connection in connectivity checks. */
  readonly ufrag: string;
  /** Returns the response to a check; null if the check is not authentic. */
  check(message: StunMessage, bytes: Buffer, path: MediaPath): CheckResult | null;
  /** Handles a packet of a checked path. */
  receive(packet: Buffer, path: MediaPath): void;
  /** Returns true for the path that the far end has nominated, which is never evicted. */
  isSelected(path: MediaPath): boolean;
}

/** A path with a valid connectivity check. */
interface KnownPath {
  readonly user: PortUser;
  readonly path: MediaPath;
}

/** A TCP connection without a valid check. */
interface UncheckedConnection {
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
 * The UDP and TCP port of all WebRTC calls. A valid ICE check, whose username fragment names the connection, binds its
 * path to that connection; later packets of the path go there. Unauthenticated datagrams cause no state and get no
 * response; a TCP connection is closed if its first valid check does not arrive within 5 s.
 */
export class WebRtcPort {
  readonly #clock: Clock;
  readonly #udp: UdpSocket;
  readonly #users = new Map<string, PortUser>();
  /** By key of the path. */
  readonly #paths = new Map<string, KnownPath>();
  readonly #connections = new Set<TcpConnection>();
  readonly #unchecked = new Map<TcpConnection, UncheckedConnection>();
  readonly #uncheckedByAddress = new Map<string, number>();
  #tcp: Server | null = null;
  #lastConnection = 0;
  #isClosed = false;

  private constructor(clock: Clock, udp: UdpSocket) {
    this.#clock = clock;
    this.#udp = udp;
    udp.on('message', (bytes, from) => this.#receiveUdp(bytes, from));
    // Ignores errors such as ECONNREFUSED after a far end closed its port.
    udp.on('error', () => {});
  }

  /** Rejects with the system's error if the port cannot be bound. */
  static async open(options: WebRtcPortOptions): Promise<WebRtcPort> {
    // A free UDP port may be in use for TCP.
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

  /** Removes a connection and its paths. */
  remove(user: PortUser): void {
    this.#users.delete(user.ufrag);
    for (const { path } of this.#pathsOf(user)) this.#drop(path);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const connection of this.#connections) {
      this.#removeUnchecked(connection);
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
        // Ignores errors such as EMFILE, which refuse one connection.
        tcp.on('error', () => {});
        resolve();
      });
    });
    this.#tcp = tcp;
  }

  #expectCheck(connection: TcpConnection): void {
    const { address } = connection.remote;
    const ofAddress = this.#uncheckedByAddress.get(address) ?? 0;
    if (this.#unchecked.size >= maxUnchecked || ofAddress >= maxUncheckedPerAddress) {
      connection.close();
      return;
    }
    this.#uncheckedByAddress.set(address, ofAddress + 1);
    this.#unchecked.set(connection, { address, timer: this.#clock.setTimer(checkWithinMs, () => connection.close()) });
  }

  #removeUnchecked(connection: TcpConnection): void {
    const unchecked = this.#unchecked.get(connection);
    if (unchecked === undefined) return;
    unchecked.timer.cancel();
    this.#unchecked.delete(connection);
    const left = (this.#uncheckedByAddress.get(unchecked.address) ?? 1) - 1;
    if (left === 0) this.#uncheckedByAddress.delete(unchecked.address);
    else this.#uncheckedByAddress.set(unchecked.address, left);
  }

  #closed(connection: TcpConnection): void {
    this.#removeUnchecked(connection);
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
      // Ignores the datagram, whose address may be forged. Closes a TCP connection that does not start with a check.
      if (path instanceof TcpConnection && this.#unchecked.has(path)) path.close();
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
    if (path instanceof TcpConnection) this.#removeUnchecked(path);
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
          // Sent without a callback, which would cost an event-loop turn per packet. Failures are emitted as events.
          this.#udp.send(bytes, remote.port, remote.address);
        } catch {
          // A forged datagram may have an unusable source port, such as 0.
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

import { connect as connectTcp, createServer as createTcpServer, isIP, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { type Clock, sourceKey } from '@va/core/adapter';
import type { Endpoint } from '@va/media';
import type { SipAddress } from './address.ts';
import type { AdvertisedAddresses } from './advertised-addresses.ts';
import type { TransportListener } from './flow.ts';
import { StreamConnection } from './stream-connection.ts';
import { clientOptions, serverOptions, type TlsOptions } from './tls-options.ts';

const maxConnections = 4_096;
const maxConnectionsOfPeer = 256;
/** Memory limit of incomplete messages of all connections together. */
const maxHeldBytes = 32 << 20;
/** @see RFC 5626 §4.4.1, which specifies 95 to 120 s */
const defaultKeepAliveMs = 100_000;
const idleMs = 3_600_000;

interface StreamTransportOptions {
  readonly clock: Clock;
  readonly address: SipAddress;
  readonly advertised: AdvertisedAddresses;
  readonly tls: TlsOptions;
  readonly listener: TransportListener;
  /** Returns whether the peer is exempt from limits of untrusted sources. */
  readonly isTrusted?: ((connection: StreamConnection) => boolean) | undefined;
  readonly keepAliveMs?: number | undefined;
}

function endpointKey(endpoint: Endpoint): string {
  return `${endpoint.address}|${endpoint.port}`;
}

/** A listening TCP or TLS socket with the connections that it accepted and opened. */
export class StreamTransport {
  readonly #options: StreamTransportOptions;
  readonly #transport: 'tcp' | 'tls';
  readonly #connections = new Set<StreamConnection>();
  readonly #byRemote = new Map<string, StreamConnection>();
  readonly #peers = new Map<string, number>();
  /** Sockets of accepted connections, including those whose handshake is not complete. */
  readonly #accepted = new Set<Socket>();
  #heldBytes = 0;
  #server: Server | null = null;
  #bound: SipAddress;

  /** Creates a transport that only opens connections; {@link open} creates one that also listens. */
  constructor(options: StreamTransportOptions) {
    this.#options = options;
    this.#transport = options.address.transport === 'tls' ? 'tls' : 'tcp';
    this.#bound = options.address;
  }

  /**
   * Opens a listening transport. Rejects with the system's error when the address cannot be bound.
   * @throws VaError `sip_tls_certificate`
   */
  static async open(options: StreamTransportOptions): Promise<StreamTransport> {
    const transport = new StreamTransport(options);
    await transport.#listen();
    return transport;
  }

  get address(): SipAddress {
    return this.#bound;
  }

  /**
   * Returns the open connection to that peer, or a new one; data sent meanwhile is queued until it is established.
   * @param serverName name that the peer's certificate must be valid for, if it differs from the address
   */
  flowTo(remote: Endpoint, serverName?: string): StreamConnection {
    const open = this.#byRemote.get(endpointKey(remote));
    if (open?.open && open.serves(serverName)) return open;
    return this.#adopt(this.#connect(remote, serverName), remote, { opened: true, serverName });
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      if (this.#server === null) resolve();
      else this.#server.close(() => resolve());
    });
    for (const connection of this.#connections) connection.destroy();
    for (const socket of this.#accepted) socket.destroy();
    await closed;
  }

  #connect(remote: Endpoint, serverName: string | undefined): Socket {
    const where = { host: remote.address, port: remote.port };
    if (this.#transport === 'tcp') return connectTcp({ ...where, noDelay: true });
    const name = serverName ?? remote.address;
    const socket = connectTls({
      ...where,
      ...clientOptions(this.#options.tls),
      // IP addresses are not allowed in SNI (RFC 6066 §3); the certificate is checked against the host then.
      ...(isIP(name) === 0 ? { servername: name } : {}),
    });
    socket.setNoDelay(true);
    return socket;
  }

  async #listen(): Promise<void> {
    const { address, tls } = this.#options;
    const accept = (socket: Socket): void => {
      const remote = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
      this.#adopt(socket, remote, { opened: false, serverName: undefined });
    };
    const server =
      this.#transport === 'tls'
        ? createTlsServer({ ...serverOptions(tls), noDelay: true }, accept)
        : createTcpServer({ noDelay: true }, accept);
    this.#server = server;
    server.maxConnections = maxConnections;
    server.on('connection', (socket: Socket) => this.#count(socket));
    // A failed handshake affects only its peer.
    server.on('tlsClientError', (_: Error, socket: Socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address.port, address.address, () => {
        server.off('error', reject);
        resolve();
      });
    });
    // A failed accept (no file descriptors left) affects only that connection.
    server.on('error', () => {});
    const bound = server.address();
    if (bound !== null && typeof bound === 'object') this.#bound = { ...address, port: bound.port };
  }

  /**
   * Counts an accepted connection; closes it if its peer has too many, so that one peer cannot use up all connections.
   */
  #count(socket: Socket): void {
    const address = sourceKey(socket.remoteAddress ?? '');
    const count = (this.#peers.get(address) ?? 0) + 1;
    this.#peers.set(address, count);
    this.#accepted.add(socket);
    socket.once('close', () => {
      this.#accepted.delete(socket);
      const left = (this.#peers.get(address) ?? 1) - 1;
      if (left === 0) this.#peers.delete(address);
      else this.#peers.set(address, left);
    });
    if (count > maxConnectionsOfPeer) socket.destroy();
  }

  #adopt(
    socket: Socket,
    remote: Endpoint,
    { opened, serverName }: { readonly opened: boolean; readonly serverName: string | undefined },
  ): StreamConnection {
    const { clock, advertised, listener, tls, keepAliveMs = defaultKeepAliveMs } = this.#options;
    const connection = new StreamConnection(socket, {
      clock,
      listener,
      keepAliveMs,
      idleMs,
      remote,
      opened,
      serverName,
      transport: this.#transport,
      bound: this.#bound,
      advertised: () => advertised.of(this.#bound, remote),
      // Only a local side with a certificate may ask the peer to reuse this connection.
      mayAlias: opened && this.#server !== null && this.#transport === 'tls' && tls.cert !== undefined,
      hold: (bytes) => {
        this.#heldBytes += bytes;
        if (bytes > 0 && this.#heldBytes > maxHeldBytes) this.#freeMemory(connection);
      },
      onAlias: (each, port) => this.#byRemote.set(endpointKey({ ...remote, port }), each),
      onClose: (each) => this.#forget(each),
    });
    this.#connections.add(connection);
    this.#byRemote.set(endpointKey(remote), connection);
    return connection;
  }

  /**
   * Closes connections until incomplete messages are within the memory limit: the connection that exceeded it, or, if
   * its peer is trusted, first the untrusted ones that hold the most memory.
   */
  #freeMemory(connection: StreamConnection): void {
    const { isTrusted = () => false } = this.#options;
    const trusts = (each: StreamConnection): boolean => each.isKnown || isTrusted(each);
    const untrusted = [...this.#connections].filter((each) => each.heldBytes > 0 && !trusts(each));
    untrusted.sort((a, b) => b.heldBytes - a.heldBytes);
    const candidates = trusts(connection) ? [...untrusted, connection] : [connection];
    for (const each of candidates) {
      if (this.#heldBytes <= maxHeldBytes) return;
      each.evict();
    }
  }

  #forget(connection: StreamConnection): void {
    this.#connections.delete(connection);
    for (const [key, each] of this.#byRemote) if (each === connection) this.#byRemote.delete(key);
  }
}

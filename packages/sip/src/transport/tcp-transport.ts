import { connect, createServer, type Server, type Socket } from 'node:net';
import { type Endpoint, reachableAddress, type SipAddress } from './address.ts';
import type { Flow, TransportListener } from './flow.ts';
import { StreamFramer } from './stream-framer.ts';

const pong = new Uint8Array([13, 10]);
const maxConnections = 4_096;
/** A peer that does not read what we send is cut off before this much waits for it. */
const maxUnsentBytes = 1 << 20;

function endpointKey(endpoint: Endpoint): string {
  return `${endpoint.address}|${endpoint.port}`;
}

/** One listening stream socket, the connections it accepted and those it opened. */
export class TcpTransport {
  readonly #server: Server;
  readonly #listener: TransportListener;
  readonly #publicAddress: string | undefined;
  readonly #connections = new Map<Socket, Flow>();
  readonly #byRemote = new Map<string, Flow>();
  #bound: SipAddress;

  private constructor(listen: SipAddress, publicAddress: string | undefined, listener: TransportListener) {
    this.#listener = listener;
    this.#publicAddress = publicAddress;
    this.#bound = listen;
    this.#server = createServer({ noDelay: true }, (socket) => {
      this.#adopt(socket, { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 });
    });
    this.#server.maxConnections = maxConnections;
  }

  /** Rejects when the address cannot be bound. */
  static async open(
    listen: SipAddress,
    publicAddress: string | undefined,
    listener: TransportListener,
  ): Promise<TcpTransport> {
    const transport = new TcpTransport(listen, publicAddress, listener);
    const server = transport.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(listen.port, listen.address, () => {
        server.off('error', reject);
        resolve();
      });
    });
    // An accept that fails (no descriptors left) loses that one connection and no more.
    server.on('error', () => {});
    const address = server.address();
    if (address !== null && typeof address === 'object') transport.#bound = { ...listen, port: address.port };
    return transport;
  }

  get address(): SipAddress {
    return this.#bound;
  }

  /** The open connection to that peer, or a new one; what is sent meanwhile waits until it is established. */
  flowTo(remote: Endpoint): Flow {
    const open = this.#byRemote.get(endpointKey(remote));
    if (open?.open) return open;
    return this.#adopt(connect({ host: remote.address, port: remote.port, noDelay: true }), remote);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#connections.keys()) socket.destroy();
    await closed;
  }

  #adopt(socket: Socket, remote: Endpoint): Flow {
    const framer = new StreamFramer();
    const flow: Flow = {
      transport: 'tcp',
      reliable: true,
      remote,
      advertised: {
        address: this.#publicAddress ?? reachableAddress(this.#bound.address, remote.address),
        port: this.#bound.port,
      },
      get open() {
        return !socket.destroyed && socket.writable;
      },
      send: (bytes) => {
        if (!socket.writable)
          queueMicrotask(() => this.#listener.onFailure(flow, new Error('The connection is closed.')));
        else if (socket.writableLength > maxUnsentBytes) socket.destroy(new Error('The peer does not read.'));
        else socket.write(bytes);
      },
    };
    this.#connections.set(socket, flow);
    this.#byRemote.set(endpointKey(remote), flow);
    let failure: Error | null = null;
    socket.on('data', (chunk) => this.#receive(framer, chunk, flow, socket));
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('close', () => {
      this.#connections.delete(socket);
      if (this.#byRemote.get(endpointKey(remote)) === flow) this.#byRemote.delete(endpointKey(remote));
      this.#listener.onFailure(flow, failure ?? new Error('The peer closed the connection.'));
    });
    return flow;
  }

  #receive(framer: StreamFramer, chunk: Uint8Array, flow: Flow, socket: Socket): void {
    for (const item of framer.push(chunk)) {
      if (item.kind === 'ping') flow.send(pong);
      else this.#listener.onBytes(item.bytes, flow);
      // Where the next message starts cannot be known any more; the answer to this one goes out first.
      if (item.kind === 'fault') socket.end();
    }
  }
}

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { toError } from '@va/core/adapter';
import { type Endpoint, numericLookup } from '@va/media';
import type { SipAddress } from './address.ts';
import type { AdvertisedAddresses } from './advertised-addresses.ts';
import type { Flow, TransportListener } from './flow.ts';

/** A datagram of at most this length is a keep-alive (RFC 5626 §4.4.2 and NAT helpers), not a message. */
const longestKeepAlive = 4;
const receiveBufferBytes = 1 << 20;

/** A bound datagram socket. */
export class UdpTransport {
  readonly #socket: Socket;
  readonly #listener: TransportListener;
  readonly #advertised: AdvertisedAddresses;
  #bound: SipAddress;
  #closed = false;

  private constructor(listen: SipAddress, advertised: AdvertisedAddresses, listener: TransportListener) {
    const type = isIPv6(listen.address) ? 'udp6' : 'udp4';
    this.#socket = createSocket({ type, recvBufferSize: receiveBufferBytes, lookup: numericLookup });
    this.#listener = listener;
    this.#advertised = advertised;
    this.#bound = listen;
  }

  /** Binds the socket. Rejects with the system's error when the address cannot be bound. */
  static async open(
    listen: SipAddress,
    advertised: AdvertisedAddresses,
    listener: TransportListener,
  ): Promise<UdpTransport> {
    const transport = new UdpTransport(listen, advertised, listener);
    const socket = transport.#socket;
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(listen.port, listen.address, () => {
        socket.off('error', reject);
        resolve();
      });
    });
    socket.on('error', (error) => listener.onFailure(transport.flowTo({ address: '', port: 0 }), error));
    socket.on('message', (bytes, from) => transport.#receive(bytes, from));
    transport.#bound = { ...listen, port: socket.address().port };
    return transport;
  }

  get address(): SipAddress {
    return this.#bound;
  }

  flowTo(remote: Endpoint): Flow {
    const [bound, advertised] = [this.#bound, this.#advertised];
    const flow: Flow = {
      transport: 'udp',
      reliable: false,
      bound,
      remote,
      // Computed on demand: most packets do not need it, and it queries the network interfaces of the machine.
      get advertised() {
        return advertised.of(bound, remote);
      },
      open: true,
      send: (bytes) => this.#send(bytes, flow),
    };
    return flow;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await new Promise<void>((resolve) => {
      this.#socket.close(resolve);
    });
  }

  #receive(bytes: Uint8Array, from: RemoteInfo): void {
    if (bytes.length <= longestKeepAlive) return;
    this.#listener.onBytes(bytes, this.flowTo({ address: from.address, port: from.port }));
  }

  #send(bytes: Uint8Array, flow: Flow): void {
    if (this.#closed) return;
    try {
      this.#socket.send(bytes, flow.remote.port, flow.remote.address, (error) => {
        if (error !== null) this.#listener.onFailure(flow, error);
      });
    } catch (error) {
      queueMicrotask(() => this.#listener.onFailure(flow, toError(error)));
    }
  }
}

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Endpoint } from '../runtime/endpoint.ts';
import { rememberingLookup } from '../runtime/numeric-lookup.ts';

const maxPort = 65_535;
const bufferBytes = 1 << 18;

function bind(address: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const type = isIPv6(address) ? 'udp6' : 'udp4';
    const socket = createSocket({ type, recvBufferSize: bufferBytes, lookup: rememberingLookup() });
    const fail = (error: Error) => {
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

/** Carries the packets of one call. */
export interface RtpTransport {
  readonly port: number;
  /** Sends a packet, whose buffer is reused two packets later. Never throws. */
  send(bytes: Uint8Array, to: Endpoint): void;
  close(onClosed?: () => void): void;
}

/** Media socket of one call. Errors after binding cost a packet, never more. */
export class RtpSocket implements RtpTransport {
  readonly #socket: Socket;
  readonly port: number;
  #closed = false;

  private constructor(socket: Socket, onPacket: (bytes: Uint8Array, from: RemoteInfo) => void) {
    this.#socket = socket;
    this.port = socket.address().port;
    socket.on('message', onPacket);
    // Errors such as ECONNREFUSED, when the far end has closed its port, are ignored; the signalling decides.
    socket.on('error', () => {});
  }

  /** Binds a socket; port 0 takes any free one. Rejects with the system's error if the port cannot be bound. */
  static async open(
    address: string,
    port: number,
    onPacket: (bytes: Uint8Array, from: RemoteInfo) => void,
  ): Promise<RtpSocket> {
    return new RtpSocket(await bind(address, port), onPacket);
  }

  /** Like `open`, but resolves to null if the port cannot be bound. */
  static async openAt(
    address: string,
    port: number,
    onPacket: (bytes: Uint8Array, from: RemoteInfo) => void,
  ): Promise<RtpSocket | null> {
    if (port > maxPort) return null;
    try {
      return await RtpSocket.open(address, port, onPacket);
    } catch {
      return null;
    }
  }

  /** Never throws. */
  send(bytes: Uint8Array, to: Endpoint): void {
    if (this.#closed) return;
    try {
      // Passes no callback, which would cost a turn of the event queue per packet: failures are emitted as events.
      this.#socket.send(bytes, to.port, to.address);
    } catch {
      // An invalid destination, such as port 0 in the SDP: the packet is dropped.
    }
  }

  close(onClosed?: () => void): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.close(onClosed);
  }
}

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { toError, VaError } from '@va/core';
import type { Endpoint } from '../transport/address.ts';
import { numericLookup } from '../transport/numeric-lookup.ts';

export interface PortRange {
  readonly min: number;
  readonly max: number;
}

const maxPort = 65_535;
const bufferBytes = 1 << 18;

function bind(address: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const type = isIPv6(address) ? 'udp6' : 'udp4';
    const socket = createSocket({ type, recvBufferSize: bufferBytes, lookup: numericLookup });
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

/**
 * Binds an even port of the range, the odd one beside it being left for RTCP; without a range any free port.
 * The search starts at `startAt` (0 to 1, of the range), so that calls do not all try the same ports first.
 */
async function bindInRange(address: string, range: PortRange | undefined, startAt: number): Promise<Socket> {
  if (range === undefined) return await bind(address, 0);
  const first = range.min + (range.min % 2);
  const count = Math.floor((range.max - first) / 2) + 1;
  const start = Math.floor(startAt * count);
  for (let i = 0; i < count; i++) {
    try {
      return await bind(address, first + ((start + i) % count) * 2);
    } catch (error) {
      if ((toError(error) as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`every even port from ${range.min} to ${range.max} is in use`);
}

/** The media socket of one call. What goes wrong on it after it is bound costs a packet, never more. */
export class RtpSocket {
  readonly #socket: Socket;
  readonly port: number;
  #closed = false;

  private constructor(socket: Socket, onPacket: (bytes: Uint8Array, from: RemoteInfo) => void) {
    this.#socket = socket;
    this.port = socket.address().port;
    socket.on('message', onPacket);
    // Such as ECONNREFUSED, when the far end has closed its port: the signalling tells what to make of it.
    socket.on('error', () => {});
  }

  /** @throws VaError `rtp_port_unavailable` when no port can be bound. */
  static async open(
    address: string,
    range: PortRange | undefined,
    startAt: number,
    onPacket: (bytes: Uint8Array, from: RemoteInfo) => void,
  ): Promise<RtpSocket> {
    try {
      return new RtpSocket(await bindInRange(address, range, startAt), onPacket);
    } catch (error) {
      const message = `No RTP port can be opened on ${address}: ${toError(error).message}. Widen rtpPortRange.`;
      throw new VaError('rtp_port_unavailable', message, { cause: error });
    }
  }

  /** A socket at that very port; null where it cannot be had. */
  static async openAt(
    address: string,
    port: number,
    onPacket: (bytes: Uint8Array, from: RemoteInfo) => void,
  ): Promise<RtpSocket | null> {
    if (port > maxPort) return null;
    try {
      return new RtpSocket(await bind(address, port), onPacket);
    } catch {
      return null;
    }
  }

  /** Never throws. */
  send(bytes: Uint8Array, to: Endpoint): void {
    if (this.#closed) return;
    try {
      this.#socket.send(bytes, to.port, to.address, ignoreError);
    } catch {
      // A destination that is none, such as port 0: the SDP that named it is answered all the same.
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.close();
  }
}

/** With a callback the socket reports a failed send here, and not as an event. */
function ignoreError(): void {}

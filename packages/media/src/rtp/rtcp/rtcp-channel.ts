import type { RemoteInfo } from 'node:dgram';
import type { Endpoint } from '../../runtime/endpoint.ts';
import type { Agreement } from '../agreement.ts';
import { RtpSocket, type RtpTransport } from '../rtp-socket.ts';

/**
 * RTCP transport of a call: the port of RTP, or the odd port next to it, which is opened when needed. Until then, or if
 * it is taken, reports are sent from the port of RTP, and none are received.
 * @see RFC 3550 §11, RFC 5761
 */
export class RtcpChannel {
  readonly #address: string;
  readonly #rtp: RtpTransport;
  readonly #onPacket: (bytes: Uint8Array, from: RemoteInfo) => void;
  #own: RtpSocket | null = null;
  #wanted = false;
  #opening = false;

  constructor(address: string, rtp: RtpTransport, onPacket: (bytes: Uint8Array, from: RemoteInfo) => void) {
    this.#address = address;
    this.#rtp = rtp;
    this.#onPacket = onPacket;
  }

  /** True if a separate port is needed. */
  set separate(wanted: boolean) {
    this.#wanted = wanted;
    if (!wanted) this.#closeOwn();
    else if (this.#own === null && !this.#opening) void this.#open();
  }

  send(packet: Uint8Array, to: Endpoint): void {
    (this.#own ?? this.#rtp).send(packet, to);
  }

  close(): void {
    this.#wanted = false;
    this.#closeOwn();
  }

  async #open(): Promise<void> {
    this.#opening = true;
    const socket = await RtpSocket.openAt(this.#address, this.#rtp.port + 1, this.#onPacket);
    this.#opening = false;
    this.#own = socket;
    if (!this.#wanted) this.#closeOwn();
  }

  #closeOwn(): void {
    this.#own?.close();
    this.#own = null;
  }
}

/**
 * Returns the destination of reports: where RTP is sent if both share a port, else the RTCP port of the SDP at that
 * address.
 */
export function rtcpDestination(agreement: Agreement, remote: Endpoint): Endpoint {
  return agreement.rtcp.mux ? remote : { address: remote.address, port: agreement.rtcp.port };
}

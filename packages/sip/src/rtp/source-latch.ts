import type { RemoteInfo } from 'node:dgram';
import type { Endpoint } from '../transport/address.ts';
import type { RtpPacket } from './packet.ts';

/** Packets in a row that a source must send before it is believed, when its address is not the one of the SDP. */
const strangersProbation = 3;

/**
 * Decides whose packets are the far end's. It is the first source that shows up, once and for all; one at an address
 * that the SDP does not name must first send a few packets in sequence, and loses to one that the SDP does name.
 * So a phone behind NAT is heard, and nobody can take over a call that runs.
 */
export class SourceLatch {
  #expected: Endpoint;
  #latched: Endpoint | null = null;
  #candidate: { readonly from: Endpoint; readonly ssrc: number; next: number; count: number } | null = null;

  constructor(expected: Endpoint) {
    this.#expected = expected;
  }

  /** Where to send: where the far end sends from, or before that where its SDP says. */
  get remote(): Endpoint {
    return this.#latched ?? this.#expected;
  }

  /** The far end has named another address: whoever sends from there is the new source. */
  expect(endpoint: Endpoint): void {
    if (endpoint.address === this.#expected.address && endpoint.port === this.#expected.port) return;
    this.#expected = endpoint;
    this.#latched = null;
    this.#candidate = null;
  }

  /** Whether a source has been latched. */
  get settled(): boolean {
    return this.#latched !== null;
  }

  /** Whether it is the source that has been latched. */
  knows(from: RemoteInfo): boolean {
    return this.#latched?.port === from.port && this.#latched.address === from.address;
  }

  /** Whether a packet is the far end's. */
  accepts(packet: RtpPacket, from: RemoteInfo): boolean {
    if (this.#latched !== null) return this.knows(from);
    if (from.address !== this.#expected.address && !this.#isProven(packet, from)) return false;
    this.#latched = { address: from.address, port: from.port };
    this.#candidate = null;
    return true;
  }

  #isProven(packet: RtpPacket, from: RemoteInfo): boolean {
    const known = this.#candidate;
    const continues =
      known !== null &&
      known.from.address === from.address &&
      known.from.port === from.port &&
      known.ssrc === packet.ssrc &&
      known.next === packet.sequence;
    if (continues) {
      known.count += 1;
      known.next = (packet.sequence + 1) & 0xffff;
      return known.count >= strangersProbation;
    }
    this.#candidate = {
      from: { address: from.address, port: from.port },
      ssrc: packet.ssrc,
      next: (packet.sequence + 1) & 0xffff,
      count: 1,
    };
    return false;
  }
}

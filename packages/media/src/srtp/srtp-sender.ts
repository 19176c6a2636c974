import { readUint16, readUint32 } from '../runtime/bytes.ts';
import { createPacketCipher } from './create-packet-cipher.ts';
import { deriveKeys } from './key-derivation.ts';
import type { PacketCipher } from './packet-cipher.ts';
import { type SrtpSuiteName, srtpSuites } from './suites.ts';

const rtpHeaderBytes = 12;
const rtcpHeaderBytes = 8;

/**
 * Encrypts the packets of one source: RTP with consecutive numbers and without extensions, and RTCP.
 * @see RFC 3711 §3.3, §3.4
 */
export class SrtpSender {
  readonly #rtp: PacketCipher;
  readonly #rtcp: PacketCipher;
  #rollOver = 0;
  #lastSequence = -1;
  #rtcpIndex = 0;

  /** @param master key and salt, with the lengths of the suite */
  constructor(suiteName: SrtpSuiteName, master: Uint8Array) {
    const suite = srtpSuites[suiteName];
    const keys = deriveKeys(suite, master);
    this.#rtp = createPacketCipher(suite, keys.rtp, 'rtp', 0);
    this.#rtcp = createPacketCipher(suite, keys.rtcp, 'rtcp', 0);
  }

  /** Bytes added to a packet. */
  get rtpOverheadBytes(): number {
    return this.#rtp.overheadBytes;
  }

  /** Encrypts the first `length` bytes in place; returns the new length, for which there must be room. */
  protectRtp(bytes: Uint8Array, length: number): number {
    const sequence = readUint16(bytes, 2);
    if (sequence < this.#lastSequence) this.#rollOver += 1;
    this.#lastSequence = sequence;
    return this.#rtp.seal(bytes, rtpHeaderBytes, length, readUint32(bytes, 8), this.#rollOver, sequence);
  }

  /** Returns the encrypted packet. RTCP is too rare to avoid the allocation. */
  protectRtcp(packet: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(packet.length + this.#rtcp.overheadBytes);
    bytes.set(packet);
    this.#rtcpIndex = (this.#rtcpIndex + 1) & 0x7fffffff;
    const index = this.#rtcpIndex;
    this.#rtcp.seal(bytes, rtcpHeaderBytes, packet.length, readUint32(bytes, 4), index >>> 16, index & 0xffff);
    return bytes;
  }
}

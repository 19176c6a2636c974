import { rtpHeaderLength } from '../packet/rtp-packet.ts';
import { readUint16, readUint32 } from '../runtime/bytes.ts';
import { createPacketCipher } from './create-packet-cipher.ts';
import { deriveKeys, type SessionKeys } from './key-derivation.ts';
import { encryptedFlag, type PacketCipher } from './packet-cipher.ts';
import { ReplayWindow } from './replay-window.ts';
import { type SrtpSuite, type SrtpSuiteName, srtpSuites } from './suites.ts';

const rtcpHeaderBytes = 8;
/** Maximum tracked sources; the one unused for the longest time is dropped. */
const maxSources = 16;
const halfSequences = 0x8000;
const sequences = 0x10000;

/** State of one source. */
interface ReceivedStream {
  readonly rtp: ReplayWindow;
  readonly rtcp: ReplayWindow;
  rollOver: number;
  /** Highest sequence number within the roll-over; −1 before the first packet. */
  sequence: number;
}

/**
 * Decrypts received packets. Only authentic packets change the state, and each is accepted once.
 * @see RFC 3711 §3.3, §3.4
 */
export class SrtpReceiver {
  readonly #suite: SrtpSuite;
  readonly #keys: { readonly rtp: SessionKeys; readonly rtcp: SessionKeys };
  #rtp: PacketCipher;
  #rtcp: PacketCipher;
  /** Streams by SSRC, in the order of their last authentic packets. */
  readonly #sources = new Map<number, ReceivedStream>();
  #latest: ReceivedStream | null = null;

  /** @param master key and salt, with the lengths of the suite */
  constructor(suiteName: SrtpSuiteName, master: Uint8Array, mkiBytes: number) {
    this.#suite = srtpSuites[suiteName];
    this.#keys = deriveKeys(this.#suite, master);
    this.#rtp = createPacketCipher(this.#suite, this.#keys.rtp, 'rtp', mkiBytes);
    this.#rtcp = createPacketCipher(this.#suite, this.#keys.rtcp, 'rtcp', mkiBytes);
  }

  /** Changes the length of the master key identifier of the next packets; all counters are kept. */
  set mkiBytes(mkiBytes: number) {
    this.#rtp = createPacketCipher(this.#suite, this.#keys.rtp, 'rtp', mkiBytes);
    this.#rtcp = createPacketCipher(this.#suite, this.#keys.rtcp, 'rtcp', mkiBytes);
  }

  /** Decrypts a datagram in place. Returns the packet's length, or −1 if it is not authentic or a replay. */
  unprotectRtp(bytes: Uint8Array): number {
    const headerBytes = rtpHeaderLength(bytes, bytes.length);
    if (headerBytes === -1) return -1;
    const sequence = readUint16(bytes, 2);
    const ssrc = readUint32(bytes, 8);
    const known = this.#sources.get(ssrc);
    const rollOver = known === undefined ? 0 : rollOverOf(known, sequence);
    const index = rollOver * sequences + sequence;
    if (rollOver < 0 || known?.rtp.isNew(index) === false) return -1;
    const length = this.#rtp.open(bytes, headerBytes, bytes.length, ssrc, rollOver, sequence);
    if (length === -1) return -1;
    const source = this.#use(ssrc, known);
    source.rtp.accept(index);
    if (rollOver > source.rollOver || (rollOver === source.rollOver && sequence > source.sequence)) {
      source.rollOver = rollOver;
      source.sequence = sequence;
    }
    return length;
  }

  /** Like `unprotectRtp`. Unencrypted packets are refused, because encryption was negotiated. */
  unprotectRtcp(bytes: Uint8Array): number {
    const at = this.#rtcp.indexAt(bytes.length);
    if (at < rtcpHeaderBytes) return -1;
    const trailer = readUint32(bytes, at);
    if (trailer < encryptedFlag) return -1;
    const index = trailer - encryptedFlag;
    const ssrc = readUint32(bytes, 4);
    const known = this.#sources.get(ssrc);
    if (known?.rtcp.isNew(index) === false) return -1;
    const length = this.#rtcp.open(bytes, rtcpHeaderBytes, bytes.length, ssrc, index >>> 16, index & 0xffff);
    if (length !== -1) this.#use(ssrc, known).rtcp.accept(index);
    return length;
  }

  /** Returns the source, which is added if it is unknown, and makes it the latest one. */
  #use(ssrc: number, known: ReceivedStream | undefined): ReceivedStream {
    if (known !== undefined && known === this.#latest) return known;
    const source = known ?? { rtp: new ReplayWindow(), rtcp: new ReplayWindow(), rollOver: 0, sequence: -1 };
    if (known !== undefined) this.#sources.delete(ssrc);
    const [oldest] = this.#sources.keys();
    if (this.#sources.size >= maxSources && oldest !== undefined) this.#sources.delete(oldest);
    this.#sources.set(ssrc, source);
    this.#latest = source;
    return source;
  }
}

/** Returns the roll-over count of a sequence number; −1 for numbers before the first packet. */
function rollOverOf(source: ReceivedStream, sequence: number): number {
  if (source.sequence === -1) return 0;
  const ahead = sequence - source.sequence;
  if (ahead > halfSequences) return source.rollOver - 1;
  return ahead < -halfSequences ? source.rollOver + 1 : source.rollOver;
}

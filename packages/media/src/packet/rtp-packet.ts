import { readUint16, readUint32, writeUint16, writeUint32 } from '../runtime/bytes.ts';

/**
 * One RTP packet.
 *
 *      0                   1                   2                   3
 *      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *     |V=2|P|X|  CC   |M|     PT      |       sequence number         |
 *     |                           timestamp                           |
 *     |                             SSRC                              |
 *     |                 CSRC (0 to 15 items of 4 bytes)               |
 *
 * @see RFC 3550 §5.1
 */
export interface RtpPacket {
  readonly marker: boolean;
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  /** A view of the parsed bytes, without padding. */
  readonly payload: Uint8Array;
}

const fixedHeaderBytes = 12;
const version = 2;

/** Returns the length of a packet's header with CSRCs and extension; −1 if it is not RTP or too short. */
export function rtpHeaderLength(bytes: Uint8Array, length: number): number {
  if (length < fixedHeaderBytes) return -1;
  const first = bytes[0] as number;
  if (first >> 6 !== version) return -1;
  let end = fixedHeaderBytes + (first & 0x0f) * 4;
  if (first & 0x10) {
    if (end + 4 > length) return -1;
    end += 4 + readUint16(bytes, end + 2) * 4;
  }
  return end > length ? -1 : end;
}

/** Parses a datagram. Returns null if it is not RTP or its lengths are inconsistent. */
export function parseRtp(bytes: Uint8Array): RtpPacket | null {
  const start = rtpHeaderLength(bytes, bytes.length);
  if (start === -1) return null;
  let end = bytes.length;
  if ((bytes[0] as number) & 0x20) {
    const padding = bytes[end - 1] as number;
    end -= padding;
    if (padding === 0 || start > end) return null;
  }
  const second = bytes[1] as number;
  return {
    marker: second >= 0x80,
    payloadType: second & 0x7f,
    sequence: readUint16(bytes, 2),
    timestamp: readUint32(bytes, 4),
    ssrc: readUint32(bytes, 8),
    // Sockets return Buffers, whose own views cost several times as much.
    payload: new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start),
  };
}

/**
 * Returns the bytes of a packet without padding, extension or contributing sources, followed by `roomBytes` free bytes.
 */
export function writeRtp(packet: RtpPacket, roomBytes = 0): Uint8Array {
  return fillRtp(new Uint8Array(rtpLength(packet.payload) + roomBytes), packet);
}

/** Returns the length of a packet with this payload. */
export function rtpLength(payload: Uint8Array): number {
  return fixedHeaderBytes + payload.length;
}

/** Writes a packet into a buffer of sufficient length, and returns the buffer. */
export function fillRtp(bytes: Uint8Array, packet: RtpPacket): Uint8Array {
  bytes[0] = version << 6;
  bytes[1] = (packet.marker ? 0x80 : 0) | packet.payloadType;
  writeUint16(bytes, 2, packet.sequence);
  writeUint32(bytes, 4, packet.timestamp);
  writeUint32(bytes, 8, packet.ssrc);
  bytes.set(packet.payload, fixedHeaderBytes);
  return bytes;
}

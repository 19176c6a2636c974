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
  /** A view on the bytes that were parsed, without padding. */
  readonly payload: Uint8Array;
}

const fixedHeaderBytes = 12;
const version = 2;

/** Parses a datagram. Null when it is not RTP, or its lengths contradict each other. */
export function parseRtp(bytes: Uint8Array): RtpPacket | null {
  if (bytes.length < fixedHeaderBytes) return null;
  const first = bytes[0] as number;
  if (first >> 6 !== version) return null;
  let start = fixedHeaderBytes + (first & 0x0f) * 4;
  let end = bytes.length;
  if (first & 0x10) {
    if (start + 4 > end) return null;
    start += 4 + (((bytes[start + 2] as number) << 8) | (bytes[start + 3] as number)) * 4;
  }
  if (first & 0x20) {
    const padding = bytes[end - 1] as number;
    if (padding === 0) return null;
    end -= padding;
  }
  if (start > end) return null;
  const second = bytes[1] as number;
  return {
    marker: second >= 0x80,
    payloadType: second & 0x7f,
    sequence: ((bytes[2] as number) << 8) | (bytes[3] as number),
    timestamp: readUint32(bytes, 4),
    ssrc: readUint32(bytes, 8),
    payload: bytes.subarray(start, end),
  };
}

/** Writes a packet without padding, extension or contributing sources. */
export function writeRtp(packet: RtpPacket): Uint8Array {
  const bytes = new Uint8Array(fixedHeaderBytes + packet.payload.length);
  bytes[0] = version << 6;
  bytes[1] = (packet.marker ? 0x80 : 0) | packet.payloadType;
  bytes[2] = packet.sequence >> 8;
  bytes[3] = packet.sequence;
  writeUint32(bytes, 4, packet.timestamp);
  writeUint32(bytes, 8, packet.ssrc);
  bytes.set(packet.payload, fixedHeaderBytes);
  return bytes;
}

function readUint32(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
  const low = ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
  return high * 0x10000 + low;
}

function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

import { readUint16, readUint32, writeUint16, writeUint32 } from '../../runtime/bytes.ts';
import type { ReceptionReport } from '../reception.ts';

const version = 2;
const senderReport = 200;
const receiverReport = 201;
const sourceDescription = 202;
const goodbye = 203;
const cnameItem = 1;
const headerBytes = 4;
const senderInfoBytes = 20;
const reportBytes = 24;
const maxPackets = 32;

/** Returns true if a datagram on a port shared by RTP and RTCP is RTCP. @see RFC 5761 §4 */
export function isRtcp(bytes: Uint8Array): boolean {
  const type = bytes[1] ?? 0;
  return type >= 192 && type <= 223;
}

/** Sender report: the sender's clock and counters. @see RFC 3550 §6.4.1 */
interface SenderInfo {
  readonly ntpSeconds: number;
  readonly ntpFraction: number;
  readonly timestamp: number;
  readonly packets: number;
  readonly octets: number;
}

/** Reception report with the values from which the reported source computes the round trip. */
export interface ReportBlock extends ReceptionReport {
  /** Middle 32 bits of the NTP time in the last sender report received from the source; 0 if there was none. */
  readonly lastReport: number;
  /** Time since that sender report was received, in 1/65,536 s. */
  readonly delay: number;
}

/** Parsed content of a compound packet. */
export interface RtcpPacket {
  /** SSRC of the sender. */
  readonly ssrc: number;
  readonly sender: SenderInfo | null;
  readonly reports: readonly ReportBlock[];
  readonly goodbye: boolean;
}

/**
 * Parses the reports and BYE of a compound packet and skips all else. Returns null if a length is invalid or the packet
 * is empty.
 * @see RFC 3550 §6.1
 */
export function parseRtcp(bytes: Uint8Array): RtcpPacket | null {
  let ssrc: number | null = null;
  let sender: SenderInfo | null = null;
  let left = false;
  const reports: ReportBlock[] = [];
  let at = 0;
  for (let count = 0; at < bytes.length; count++) {
    if (count >= maxPackets || at + headerBytes > bytes.length) return null;
    const first = bytes[at] as number;
    const type = bytes[at + 1] as number;
    const end = at + headerBytes + readUint16(bytes, at + 2) * 4;
    if (first >> 6 !== version || end > bytes.length) return null;
    const items = first & 0x1f;
    let body = at + headerBytes + 4;
    if (body <= end && type >= senderReport && type <= goodbye) ssrc ??= readUint32(bytes, body - 4);
    if (type === senderReport && body + senderInfoBytes <= end) {
      sender = readSenderInfo(bytes, body);
      body += senderInfoBytes;
    }
    if (type === senderReport || type === receiverReport) {
      for (let i = 0; i < items && body + reportBytes <= end; i++, body += reportBytes) {
        reports.push(readReport(bytes, body));
      }
    } else if (type === goodbye) left = true;
    at = end;
  }
  return ssrc === null ? null : { ssrc, sender, reports, goodbye: left };
}

function readSenderInfo(bytes: Uint8Array, at: number): SenderInfo {
  return {
    ntpSeconds: readUint32(bytes, at),
    ntpFraction: readUint32(bytes, at + 4),
    timestamp: readUint32(bytes, at + 8),
    packets: readUint32(bytes, at + 12),
    octets: readUint32(bytes, at + 16),
  };
}

function readReport(bytes: Uint8Array, at: number): ReportBlock {
  const lost = readUint32(bytes, at + 4) & 0xffffff;
  return {
    ssrc: readUint32(bytes, at),
    fractionLost: bytes[at + 4] as number,
    // Negative after duplicates.
    packetsLost: (lost << 8) >> 8,
    highestSequence: readUint32(bytes, at + 8),
    jitter: readUint32(bytes, at + 12),
    lastReport: readUint32(bytes, at + 16),
    delay: readUint32(bytes, at + 20),
  };
}

export interface OutgoingRtcp {
  readonly ssrc: number;
  readonly cname: string;
  /** Sender information; null if nothing was sent since the last reports. */
  readonly sender: SenderInfo | null;
  readonly report: ReportBlock | null;
  readonly goodbye: boolean;
}

/** Serializes a compound packet: report, CNAME, and BYE if requested. @see RFC 3550 §6.1 */
export function writeRtcp({ ssrc, cname, sender, report, goodbye: leaves }: OutgoingRtcp): Uint8Array {
  const reportLength = 8 + (sender === null ? 0 : senderInfoBytes) + (report === null ? 0 : reportBytes);
  // Items end with at least one zero, padded to a multiple of four.
  const nameLength = 8 + Math.floor((2 + cname.length) / 4 + 1) * 4;
  const bytes = new Uint8Array(reportLength + nameLength + (leaves ? 8 : 0));
  writeHeader(bytes, 0, report === null ? 0 : 1, sender === null ? receiverReport : senderReport, reportLength, ssrc);
  let at = 8;
  if (sender !== null) {
    writeUint32(bytes, at, sender.ntpSeconds);
    writeUint32(bytes, at + 4, sender.ntpFraction);
    writeUint32(bytes, at + 8, sender.timestamp);
    writeUint32(bytes, at + 12, sender.packets);
    writeUint32(bytes, at + 16, sender.octets);
    at += senderInfoBytes;
  }
  if (report !== null) {
    writeReport(bytes, at, report);
    at += reportBytes;
  }
  writeHeader(bytes, at, 1, sourceDescription, nameLength, ssrc);
  bytes[at + 8] = cnameItem;
  bytes[at + 9] = cname.length;
  for (let i = 0; i < cname.length; i++) bytes[at + 10 + i] = cname.charCodeAt(i);
  if (leaves) writeHeader(bytes, at + nameLength, 1, goodbye, 8, ssrc);
  return bytes;
}

function writeHeader(bytes: Uint8Array, at: number, items: number, type: number, length: number, ssrc: number): void {
  bytes[at] = (version << 6) | items;
  bytes[at + 1] = type;
  writeUint16(bytes, at + 2, length / 4 - 1);
  writeUint32(bytes, at + 4, ssrc);
}

const mostLost = 0x7fffff;

function writeReport(bytes: Uint8Array, at: number, report: ReportBlock): void {
  writeUint32(bytes, at, report.ssrc);
  writeUint32(bytes, at + 4, Math.max(-mostLost, Math.min(mostLost, report.packetsLost)) & 0xffffff);
  bytes[at + 4] = report.fractionLost;
  writeUint32(bytes, at + 8, report.highestSequence);
  writeUint32(bytes, at + 12, report.jitter);
  writeUint32(bytes, at + 16, report.lastReport);
  writeUint32(bytes, at + 20, report.delay);
}

import { isIPv4, isIPv6 } from 'node:net';
import { type MediaDescription, parse, type SessionDescription as SdpText } from 'sdp-transform';
import { type CryptoAttribute, readCrypto } from './crypto.ts';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface PayloadMapping {
  readonly payloadType: number;
  /** In lower case. */
  readonly encodingName: string;
  readonly clockRateHz: number;
}

/** One `m=` line, as far as offer and answer need it. */
export interface MediaLine {
  readonly type: string;
  readonly protocol: string;
  readonly port: number;
  readonly payloads: string;
  /** Where its sender wants to receive; an address of zeros is the old way to say hold. */
  readonly address: string;
  readonly direction: Direction;
  readonly mappings: readonly PayloadMapping[];
  /** The `a=crypto` lines that we can use, in their order. */
  readonly crypto: readonly CryptoAttribute[];
  /** RTP and RTCP share the port. @see RFC 5761 */
  readonly rtcpMux: boolean;
  /** Where RTCP goes otherwise: the port beside that of RTP, unless `a=rtcp` names another one (RFC 3605). */
  readonly rtcpPort: number;
}

export interface SessionDescription {
  readonly media: readonly MediaLine[];
}

const maxSdpBytes = 16_384;
const maxMediaLines = 16;
const directions: readonly string[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];

/** Numbers that need no rtpmap. @see RFC 3551 §6 */
const staticMappings = new Map<number, PayloadMapping>([
  [0, { payloadType: 0, encodingName: 'pcmu', clockRateHz: 8_000 }],
  [8, { payloadType: 8, encodingName: 'pcma', clockRateHz: 8_000 }],
  [9, { payloadType: 9, encodingName: 'g722', clockRateHz: 8_000 }],
  [13, { payloadType: 13, encodingName: 'cn', clockRateHz: 8_000 }],
]);

function toDirection(text: string | undefined): Direction | null {
  return text !== undefined && directions.includes(text) ? (text as Direction) : null;
}

// The library makes a number of every field that looks like one, whatever its types say: hence the conversions.
function mappingsOf(media: MediaDescription): PayloadMapping[] {
  const mappings: PayloadMapping[] = [];
  for (const text of String(media.payloads ?? '').split(' ')) {
    const payloadType = Number(text);
    if (!/^\d{1,3}$/.test(text) || payloadType > 127) continue;
    const named = media.rtp?.find((each) => each.payload === payloadType);
    const mapping = named
      ? { payloadType, encodingName: String(named.codec).toLowerCase(), clockRateHz: Number(named.rate ?? 8_000) }
      : staticMappings.get(payloadType);
    if (mapping !== undefined) mappings.push(mapping);
  }
  return mappings;
}

/** The `a=crypto` lines of each `m=` line. The library keeps no more than one of their session parameters. */
function cryptoLines(text: string): string[][] {
  const lines: string[][] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.startsWith('m=')) lines.push([]);
    else if (line.startsWith('a=crypto:')) lines.at(-1)?.push(line.slice('a=crypto:'.length));
  }
  return lines;
}

function mediaLine(media: MediaDescription, session: SdpText, crypto: readonly string[]): MediaLine | null {
  const address = String(media.connection?.ip ?? session.connection?.ip ?? '');
  const port = Number(media.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return null;
  if (port !== 0 && !isIPv4(address) && !isIPv6(address)) return null;
  return {
    type: String(media.type),
    protocol: String(media.protocol ?? ''),
    port,
    payloads: String(media.payloads ?? ''),
    address,
    direction: toDirection(media.direction) ?? toDirection(session.direction) ?? 'sendrecv',
    mappings: mappingsOf(media),
    crypto: readCrypto(crypto),
    rtcpMux: media.rtcpMux !== undefined,
    rtcpPort: Number(media.rtcp?.port ?? port + 1),
  };
}

/**
 * Reads a session description. Null when it is not one, or holds a media line that cannot be understood.
 * @see RFC 8866
 */
export function parseSessionDescription(bytes: Uint8Array): SessionDescription | null {
  if (bytes.length === 0 || bytes.length > maxSdpBytes) return null;
  const text = new TextDecoder().decode(bytes);
  if (!text.startsWith('v=0')) return null;
  let session: SdpText;
  try {
    session = parse(text);
  } catch {
    return null;
  }
  if (session.media.length > maxMediaLines) return null;
  const media: MediaLine[] = [];
  const crypto = cryptoLines(text);
  for (const [index, each] of session.media.entries()) {
    const line = mediaLine(each, session, crypto[index] ?? []);
    if (line === null) return null;
    media.push(line);
  }
  return { media };
}

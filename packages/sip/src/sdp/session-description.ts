import { isIPv4, isIPv6 } from 'node:net';
import { type Direction, normalizeAddress, type PayloadMapping } from '@va/media';
import { type MediaDescription, parse, type SessionDescription as SdpText } from 'sdp-transform';
import { type CryptoAttribute, readCrypto } from './crypto.ts';

/** One `m=` line, as far as offer and answer need it. */
export interface MediaLine {
  readonly type: string;
  readonly protocol: string;
  readonly port: number;
  readonly payloads: string;
  /** Address at which its sender wants to receive. The null address is the old form of hold. */
  readonly address: string;
  readonly direction: Direction;
  readonly mappings: readonly PayloadMapping[];
  /** The usable `a=crypto` lines in order. */
  readonly crypto: readonly CryptoAttribute[];
  /** RTP and RTCP share the port. @see RFC 5761 */
  readonly rtcpMux: boolean;
  /** Port of RTCP without multiplexing: the one after that of RTP, unless `a=rtcp` names another (RFC 3605). */
  readonly rtcpPort: number;
  /** Maximum packet time that its sender wants, in ms (`a=maxptime`); null if not stated. */
  readonly maxPacketMs: number | null;
  /** Why the line is unusable regardless of its codecs, as the text of a Warning header; null if it is usable. */
  readonly fault: string | null;
}

export interface SessionDescription {
  readonly media: readonly MediaLine[];
}

const maxSdpBytes = 16_384;
const maxMediaLines = 16;
const maxPort = 65_535;
const directions: readonly string[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];

/** Payload types that need no rtpmap. @see RFC 3551 §6 */
const staticMappings = new Map<number, PayloadMapping>([
  [0, { payloadType: 0, encodingName: 'pcmu', clockRateHz: 8_000 }],
  [8, { payloadType: 8, encodingName: 'pcma', clockRateHz: 8_000 }],
  [9, { payloadType: 9, encodingName: 'g722', clockRateHz: 8_000 }],
  [13, { payloadType: 13, encodingName: 'cn', clockRateHz: 8_000 }],
]);

function toDirection(text: string | undefined): Direction | null {
  return text !== undefined && directions.includes(text) ? (text as Direction) : null;
}

// The library converts every field that looks numeric to a number, whatever its types say: hence the conversions.
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

/** Parts of an `m=` line that the library does not parse. */
interface MediaText {
  /** Each `a=crypto` line from its tag on: the library keeps only one of its session parameters. */
  readonly crypto: string[];
  /** 1 unless the port is written as `port/count`. */
  readonly portCount: number;
}

const portWithCount = /^(m=\S* \d+)\/(\d+)/;

function mediaTexts(text: string): MediaText[] {
  const lines: MediaText[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.startsWith('m=')) lines.push({ crypto: [], portCount: Number(portWithCount.exec(line)?.[2] ?? 1) });
    else if (line.startsWith('a=crypto:')) lines.at(-1)?.crypto.push(line.slice('a=crypto:'.length));
  }
  return lines;
}

function mediaLine(media: MediaDescription, session: SdpText, { crypto, portCount }: MediaText): MediaLine | null {
  // The part after a slash is the scope of a multicast group.
  const [written = ''] = String(media.connection?.ip ?? session.connection?.ip ?? '').split('/');
  const address = normalizeAddress(written);
  const port = Number(media.port);
  if (!Number.isInteger(port) || port < 0 || port > maxPort) return null;
  if (port !== 0 && address === '') return null;
  const rtcpPort = Number(media.rtcp?.port ?? Math.min(port + 1, maxPort));
  const maxPacketMs = Number(media.maxptime ?? Number.NaN);
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
    rtcpPort,
    maxPacketMs: Number.isFinite(maxPacketMs) ? maxPacketMs : null,
    fault: faultOf({ address, rtcpPort, portCount }),
  };
}

/** Returns the Warning text of an unusable line; null if it is usable. @see RFC 3261 §20.43 */
function faultOf({ address, rtcpPort, portCount }: Pick<MediaLine, 'address' | 'rtcpPort'> & { portCount: number }) {
  if (!isIPv4(address) && !isIPv6(address)) return '301 - "The media address must be an IP address, not a host name"';
  if (portCount !== 1) return '399 - "A media line with several ports is not supported"';
  const isPort = Number.isInteger(rtcpPort) && rtcpPort > 0 && rtcpPort <= maxPort;
  return isPort ? null : '399 - "The port of a=rtcp is out of range"';
}

/**
 * Parses a session description. Returns null for other text, and when a media line cannot be parsed.
 * @see RFC 8866
 */
export function parseSessionDescription(bytes: Uint8Array): SessionDescription | null {
  if (bytes.length === 0 || bytes.length > maxSdpBytes) return null;
  const text = new TextDecoder().decode(bytes);
  if (!text.startsWith('v=0')) return null;
  let session: SdpText;
  try {
    session = parse(text.replace(new RegExp(portWithCount, 'gm'), '$1'));
  } catch {
    return null;
  }
  if (session.media.length > maxMediaLines) return null;
  const media: MediaLine[] = [];
  const texts = mediaTexts(text);
  for (const [index, each] of session.media.entries()) {
    const line = mediaLine(each, session, texts[index] ?? { crypto: [], portCount: 1 });
    if (line === null) return null;
    media.push(line);
  }
  return { media };
}

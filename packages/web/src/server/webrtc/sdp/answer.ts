import { isIPv6 } from 'node:net';
import type { Agreement } from '@va/media';
import type { Offer } from './offer.ts';

export interface AnswerParameters {
  readonly agreement: Agreement;
  readonly ufrag: string;
  readonly password: string;
  /** SHA-256 of the certificate. */
  readonly fingerprint: string;
  /** Public IP addresses of the port, preferred first. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly hasTcp: boolean;
  readonly sessionId: number;
  /** Synchronization source of the audio sent. */
  readonly ssrc: number;
}

/** Type and local preferences of host candidates. @see RFC 8445 §5.1.2.1, RFC 6544 §4.2 */
const udpTypePreference = 126;
const tcpTypePreference = 90;
const passivePreference = 4;

/** Writes the answer to an offer. Accepts its audio line and rejects all others. */
export function writeAnswer(offer: Offer, parameters: AnswerParameters): string {
  const [address = '127.0.0.1'] = parameters.addresses;
  const version = isIPv6(address) ? 'IP6' : 'IP4';
  const mid = offer.lines[offer.audioIndex]?.mid ?? null;
  const lines = [
    'v=0',
    `o=- ${parameters.sessionId} 1 IN ${version} ${address}`,
    's=-',
    't=0 0',
    'a=ice-lite',
    ...(offer.isBundled && mid !== null ? [`a=group:BUNDLE ${mid}`] : []),
    ...offer.lines.flatMap((line, index) =>
      index === offer.audioIndex
        ? audioLines(parameters, line.protocol, mid, `c=IN ${version} ${address}`)
        : [
            `m=${line.type} 0 ${line.protocol} ${line.payloads}`,
            `c=IN ${version} ${address}`,
            ...(line.mid === null ? [] : [`a=mid:${line.mid}`]),
            'a=inactive',
          ],
    ),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function audioLines(parameters: AnswerParameters, protocol: string, mid: string | null, connection: string): string[] {
  const { agreement, ufrag, password, fingerprint, port, ssrc } = parameters;
  const { codec, payloadType, telephoneEventPayloadType: events, telephoneEventClockRateHz } = agreement;
  const channels = codec.channels === null ? '' : `/${codec.channels}`;
  return [
    `m=audio ${port} ${protocol} ${payloadType}${events === null ? '' : ` ${events}`}`,
    connection,
    ...(mid === null ? [] : [`a=mid:${mid}`]),
    'a=sendrecv',
    'a=rtcp-mux',
    `a=rtpmap:${payloadType} ${codec.encodingName}/${codec.clockRateHz}${channels}`,
    ...(codec.parameters === null ? [] : [`a=fmtp:${payloadType} ${codec.parameters}`]),
    ...(events === null
      ? []
      : [`a=rtpmap:${events} telephone-event/${telephoneEventClockRateHz}`, `a=fmtp:${events} 0-15`]),
    'a=ptime:20',
    'a=msid:va agent',
    `a=ssrc:${ssrc} cname:va`,
    'a=setup:passive',
    `a=fingerprint:sha-256 ${fingerprint}`,
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${password}`,
    ...candidates(parameters),
    'a=end-of-candidates',
  ];
}

function candidates({ addresses, port, hasTcp }: AnswerParameters): string[] {
  const udp = addresses.map((address, n) => {
    return `a=candidate:${n + 1} 1 udp ${priority(udpTypePreference, 0xffff - n)} ${address} ${port} typ host`;
  });
  if (!hasTcp) return udp;
  const tcp = addresses.map((address, n) => {
    const preference = priority(tcpTypePreference, (passivePreference << 13) + 0x1fff - n);
    return `a=candidate:${addresses.length + n + 1} 1 tcp ${preference} ${address} ${port} typ host tcptype passive`;
  });
  return [...udp, ...tcp];
}

function priority(typePreference: number, localPreference: number): number {
  return typePreference * 2 ** 24 + localPreference * 2 ** 8 + 255;
}

import { isIPv6 } from 'node:net';
import {
  type Agreement,
  type AudioCodec,
  audioCodecs,
  type CodecName,
  type Direction,
  type Endpoint,
  type SrtpSuiteName,
  telephoneEventPayloadTypes,
} from '@va/media';
import { write } from 'sdp-transform';
import { writeCrypto } from './crypto.ts';
import type { SessionDescription } from './session-description.ts';

/** Origin of a local SDP. Only the version differs between the SDPs of one session. @see RFC 8866 §5.2 */
export interface Origin {
  readonly sessionId: number;
  readonly version: number;
  /** Local address and port. */
  readonly local: Endpoint;
}

/** A payload type of an `m=` line with its attributes, under the property names of `sdp-transform`. */
interface PayloadLine {
  readonly payload: number;
  readonly codec: string;
  readonly rate: number;
  readonly encoding?: number | undefined;
  readonly parameters: string | null;
}

interface AudioLine {
  readonly local: Endpoint;
  readonly protocol: string;
  readonly payloads: readonly PayloadLine[];
  readonly direction: Direction;
  readonly crypto: readonly ReturnType<typeof writeCrypto>[];
  readonly rtcpMux: boolean;
}

function payloadOf(codec: AudioCodec, payload: number): PayloadLine {
  const { encodingName, clockRateHz, channels, parameters } = codec;
  return { payload, codec: encodingName, rate: clockRateHz, encoding: channels ?? undefined, parameters };
}

function eventsOf(payload: number, rate: number): PayloadLine {
  return { payload, codec: 'telephone-event', rate, parameters: '0-15' };
}

function audioLine({ local, protocol, payloads, direction, crypto, rtcpMux }: AudioLine): object {
  return {
    type: 'audio',
    port: local.port,
    protocol,
    payloads: payloads.map((each) => each.payload).join(' '),
    rtp: payloads,
    fmtp: payloads.flatMap(({ payload, parameters }) => (parameters === null ? [] : { payload, config: parameters })),
    ptime: 20,
    ...(crypto.length > 0 && { crypto }),
    ...(rtcpMux && { rtcpMux: 'rtcp-mux' }),
    direction,
  };
}

function session(origin: Origin, media: readonly object[]): Uint8Array {
  const { address } = origin.local;
  const version = isIPv6(address) ? 6 : 4;
  const text = write({
    version: 0,
    origin: {
      username: '-',
      sessionId: origin.sessionId,
      sessionVersion: origin.version,
      netType: 'IN',
      ipVer: version,
      address,
    },
    name: '-',
    timing: { start: 0, stop: 0 },
    connection: { version, ip: address },
    media: media as never,
  });
  return new TextEncoder().encode(text);
}

/** Contents of an offer. */
interface OfferedAudio {
  /** In order of preference. */
  readonly codecs: readonly CodecName[];
  readonly direction: Direction;
  /** SRTP suites and keys to offer; empty for unencrypted media. */
  readonly srtpKeys?: readonly { readonly suite: SrtpSuiteName; readonly key: Uint8Array }[];
}

/** Builds an offer of one audio stream with these codecs, and telephone-event at the clock rate of each. */
export function writeOffer(origin: Origin, { codecs, direction, srtpKeys = [] }: OfferedAudio): Uint8Array {
  const offered = codecs.map((name) => audioCodecs[name]);
  const rates = new Set(offered.map((codec) => codec.clockRateHz));
  const events = [...telephoneEventPayloadTypes].filter(([rate]) => rates.has(rate));
  const payloads = [
    ...offered.map((codec) => payloadOf(codec, codec.payloadType)),
    ...events.map(([rate, payload]) => eventsOf(payload, rate)),
  ];
  const crypto = srtpKeys.map(({ suite, key }, index) => writeCrypto(index + 1, suite, key));
  const protocol = srtpKeys.length > 0 ? 'RTP/SAVP' : 'RTP/AVP';
  return session(origin, [audioLine({ local: origin.local, protocol, payloads, direction, crypto, rtcpMux: true })]);
}

/**
 * Builds the answer to an offer: its lines in order and with its payload numbers, all rejected except the agreed one.
 * @see RFC 3264 §6
 */
export function writeAnswer(origin: Origin, offer: SessionDescription, agreement: Agreement): Uint8Array {
  const { codec, payloadType, telephoneEventPayloadType: events, security, direction } = agreement;
  const payloads = [payloadOf(codec, payloadType)];
  if (events !== null) payloads.push(eventsOf(events, agreement.telephoneEventClockRateHz));
  const crypto = security === null ? [] : [writeCrypto(security.tag, security.suite, security.localKey)];
  const { local } = origin;
  const media = offer.media.map((line, index) =>
    index === agreement.mediaIndex
      ? audioLine({ local, protocol: line.protocol, payloads, direction, crypto, rtcpMux: agreement.rtcp.mux })
      : { type: line.type, port: 0, protocol: line.protocol, payloads: line.payloads, rtp: [], fmtp: [] },
  );
  return session(origin, media);
}

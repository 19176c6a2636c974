import { isIPv6 } from 'node:net';
import { write } from 'sdp-transform';
import type { Endpoint } from '../transport/address.ts';
import type { Agreement } from './agreement.ts';
import { audioCodecs, type CodecName, telephoneEventPayloadType } from './audio-codec.ts';
import type { Direction, SessionDescription } from './session-description.ts';

/** What stays the same over all descriptions of a session, but for the version. @see RFC 8866 §5.2 */
export interface Origin {
  readonly sessionId: number;
  readonly version: number;
  /** Where we receive. */
  readonly local: Endpoint;
}

interface PayloadLine {
  readonly payload: number;
  readonly codec: string;
  readonly rate: number;
}

function audioLine(local: Endpoint, protocol: string, mappings: readonly PayloadLine[], direction: Direction): object {
  const events = mappings.find((each) => each.codec === 'telephone-event');
  return {
    type: 'audio',
    port: local.port,
    protocol,
    payloads: mappings.map((each) => each.payload).join(' '),
    rtp: mappings,
    fmtp: events === undefined ? [] : [{ payload: events.payload, config: '0-15' }],
    ptime: 20,
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

/** An offer of one audio stream with these codecs, most wanted first, and telephone-event. */
export function writeOffer(origin: Origin, codecs: readonly CodecName[], direction: Direction): Uint8Array {
  const mappings: PayloadLine[] = codecs.map((name) => {
    const codec = audioCodecs[name];
    return { payload: codec.payloadType, codec: codec.encodingName, rate: codec.clockRateHz };
  });
  mappings.push({ payload: telephoneEventPayloadType, codec: 'telephone-event', rate: 8_000 });
  return session(origin, [audioLine(origin.local, 'RTP/AVP', mappings, direction)]);
}

/**
 * The answer to an offer: its lines in its order and with its payload numbers, all refused but the agreed one.
 * @see RFC 3264 §6
 */
export function writeAnswer(origin: Origin, offer: SessionDescription, agreement: Agreement): Uint8Array {
  const { codec, payloadType, telephoneEventPayloadType: events } = agreement;
  const mappings: PayloadLine[] = [{ payload: payloadType, codec: codec.encodingName, rate: codec.clockRateHz }];
  if (events !== null) mappings.push({ payload: events, codec: 'telephone-event', rate: codec.clockRateHz });
  const media = offer.media.map((line, index) =>
    index === agreement.mediaIndex
      ? audioLine(origin.local, line.protocol, mappings, agreement.direction)
      : { type: line.type, port: 0, protocol: line.protocol, payloads: line.payloads, rtp: [], fmtp: [] },
  );
  return session(origin, media);
}

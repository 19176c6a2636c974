import type { PayloadMapping } from '@va/media';
import { type MediaDescription, parse, type SessionDescription } from 'sdp-transform';
import type { FingerprintHash } from '../dtls/certificate.ts';

/** Maximum number of characters of an offer. Chromium sends 2,000 to 8,000. */
export const maxOfferLength = 16_384;
const maxMediaLines = 16;
const fingerprintHashes: readonly string[] = ['sha-256', 'sha-384', 'sha-512'];

/** The parts of an `m=` line that the answer repeats. */
interface OfferedLine {
  readonly type: string;
  readonly protocol: string;
  readonly payloads: string;
  readonly mid: string | null;
}

/** A session description that offers one audio stream over DTLS-SRTP. */
export interface Offer {
  readonly lines: readonly OfferedLine[];
  /** Index of the audio line. */
  readonly audioIndex: number;
  readonly mappings: readonly PayloadMapping[];
  readonly ufrag: string;
  readonly fingerprints: readonly { readonly algorithm: FingerprintHash; readonly value: string }[];
  /** True if the media lines share one transport (BUNDLE). */
  readonly isBundled: boolean;
  readonly maxPacketMs: number | null;
}

/** Reason why an offer cannot be answered: `malformed` syntax, or a missing feature (`unacceptable`). */
export class OfferError extends Error {
  readonly kind: 'malformed' | 'unacceptable';

  constructor(kind: OfferError['kind'], message: string) {
    super(message);
    this.name = 'OfferError';
    this.kind = kind;
  }
}

/**
 * Parses the offer of a WebRTC client. Uses its first bidirectional audio line.
 * @throws OfferError
 * @see RFC 8866, RFC 8839, RFC 8842, RFC 8843
 */
export function parseOffer(text: string): Offer {
  const session = parsed(text);
  const { media } = session;
  if (media.length === 0 || media.length > maxMediaLines) {
    throw new OfferError('malformed', `An offer has 1 to ${maxMediaLines} media lines.`);
  }
  const lines = media.map(lineOf);
  const audioIndex = media.findIndex((line) => line.type === 'audio' && line.port !== 0 && isSecure(line.protocol));
  const audio = media[audioIndex];
  if (audio === undefined) throw new OfferError('unacceptable', 'The offer has no audio over UDP/TLS/RTP/SAVPF.');
  if (audio.rtcpMux === undefined) throw new OfferError('unacceptable', 'The audio needs a=rtcp-mux.');
  if ((audio.direction ?? session.direction ?? 'sendrecv') !== 'sendrecv') {
    throw new OfferError('unacceptable', 'The audio needs a=sendrecv: a call goes in both directions.');
  }
  const setup = String(audio.setup ?? session.setup ?? '');
  if (setup !== 'actpass' && setup !== 'active') {
    throw new OfferError('unacceptable', 'The audio needs a=setup:actpass or active: the service is the DTLS server.');
  }
  return {
    lines,
    audioIndex,
    mappings: mappingsOf(audio),
    ufrag: ufragOf(audio.iceUfrag ?? session.iceUfrag),
    fingerprints: fingerprintsOf(text, audioIndex),
    isBundled: (session.groups ?? []).some(({ type, mids }) => {
      return type === 'BUNDLE' && String(mids).split(' ').includes(String(audio.mid));
    }),
    maxPacketMs: Number.isFinite(Number(audio.maxptime)) ? Number(audio.maxptime) : null,
  };
}

function parsed(text: string): SessionDescription {
  if (text.length > maxOfferLength || !text.startsWith('v=0')) {
    throw new OfferError('malformed', `An offer is a session description of at most ${maxOfferLength} characters.`);
  }
  try {
    return parse(text);
  } catch {
    throw new OfferError('malformed', 'The session description cannot be parsed.');
  }
}

function isSecure(protocol: unknown): boolean {
  return /^(UDP|TCP)\/(DTLS|TLS)\/(RTP\/SAVPF?)$/.test(String(protocol));
}

/** Validates the values that the answer repeats. The library converts numeric strings to numbers, unlike its types. */
function lineOf(line: MediaDescription): OfferedLine {
  const { type, protocol, payloads, mid } = line;
  const repeated = {
    type: String(type),
    protocol: String(protocol ?? ''),
    payloads: String(payloads ?? ''),
    mid: mid === undefined ? null : String(mid),
  };
  const isWellFormed =
    /^[a-z]{1,16}$/.test(repeated.type) &&
    /^[A-Za-z/]{1,32}$/.test(repeated.protocol) &&
    /^[\w .-]{1,400}$/.test(repeated.payloads) &&
    (repeated.mid === null || /^[\w.~+-]{1,64}$/.test(repeated.mid));
  if (!isWellFormed) throw new OfferError('malformed', 'The offer has a malformed media line.');
  return repeated;
}

function mappingsOf(audio: MediaDescription): PayloadMapping[] {
  const statics: Readonly<Record<number, PayloadMapping>> = {
    0: { payloadType: 0, encodingName: 'pcmu', clockRateHz: 8_000 },
    8: { payloadType: 8, encodingName: 'pcma', clockRateHz: 8_000 },
  };
  return String(audio.payloads ?? '')
    .split(' ')
    .flatMap((text) => {
      const payloadType = Number(text);
      if (!/^\d{1,3}$/.test(text) || payloadType > 127) return [];
      const named = audio.rtp?.find((each) => each.payload === payloadType);
      if (named === undefined) return statics[payloadType] ?? [];
      return { payloadType, encodingName: String(named.codec).toLowerCase(), clockRateHz: Number(named.rate ?? 8_000) };
    });
}

/** @see RFC 8839 §5.4 */
function ufragOf(text: unknown): string {
  const ufrag = String(text ?? '');
  if (!/^[A-Za-z0-9+/]{4,256}$/.test(ufrag)) throw new OfferError('unacceptable', 'The audio needs a=ice-ufrag.');
  return ufrag;
}

/**
 * Parses the fingerprints of a media line, or else of the session, because the library keeps only the last one.
 * @see RFC 8122 §5
 */
function fingerprintsOf(text: string, audioIndex: number): Offer['fingerprints'] {
  const [session = '', ...media] = text.split(/^m=/m);
  const of = (part: string): Offer['fingerprints'] =>
    [...part.matchAll(/^a=fingerprint:(\S{1,16}) +([0-9A-Fa-f:]{1,200})\s*$/gm)].flatMap(
      ([, name = '', value = '']) => {
        const algorithm = name.toLowerCase();
        return fingerprintHashes.includes(algorithm)
          ? [{ algorithm: algorithm as FingerprintHash, value: value.toUpperCase() }]
          : [];
      },
    );
  const ofLine = of(media[audioIndex] ?? '');
  const found = ofLine.length > 0 ? ofLine : of(session);
  if (found.length === 0) throw new OfferError('unacceptable', 'The audio needs a=fingerprint with SHA-256.');
  return found.slice(0, 8);
}

import {
  type Agreement,
  type AudioCodec,
  audioCodecs,
  type CodecName,
  type Direction,
  isUnspecified,
  type PayloadMapping,
} from '@va/media';
import { type ChooseSecurity, unencryptedOnly } from './crypto.ts';
import type { MediaLine, SessionDescription } from './session-description.ts';

const protocols: readonly string[] = ['RTP/AVP', 'RTP/AVPF', 'RTP/SAVP', 'RTP/SAVPF'];
const mirrored: Readonly<Record<Direction, Direction>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};

/** Removes sending from a direction, because nothing can be sent to the null address. @see RFC 3264 §8.4 */
function withoutSending(direction: Direction): Direction {
  if (direction === 'sendrecv') return 'recvonly';
  return direction === 'sendonly' ? 'inactive' : direction;
}

/**
 * Removes receiving from an agreement, because a peer on hold must not be heard, whatever it offers.
 * @see RFC 3264 §8.4
 */
export function whileHeld(agreement: Agreement): Agreement {
  const { direction } = agreement;
  if (direction === 'sendrecv') return { ...agreement, direction: 'sendonly' };
  return direction === 'recvonly' ? { ...agreement, direction: 'inactive' } : agreement;
}

/**
 * Returns the telephone-event mapping at the codec's clock rate, else the first with another rate. A rate of 0 is not
 * usable: events would have no duration.
 * @see RFC 4733 §2.1
 */
function eventsBeside(codec: AudioCodec, line: MediaLine): PayloadMapping | undefined {
  const events = line.mappings.filter((each) => each.encodingName === 'telephone-event' && each.clockRateHz > 0);
  return events.find((each) => each.clockRateHz === codec.clockRateHz) ?? events[0];
}

function agreeOn(
  line: MediaLine,
  mediaIndex: number,
  allowed: readonly CodecName[],
  choose: ChooseSecurity,
): Agreement | null {
  if (line.type !== 'audio' || line.port === 0 || line.fault !== null || !protocols.includes(line.protocol))
    return null;
  const security = choose(line);
  if (security === 'refused') return null;
  for (const mapping of line.mappings) {
    const name = allowed.find((each) => each === mapping.encodingName);
    const codec = name === undefined ? undefined : audioCodecs[name];
    if (codec === undefined || codec.clockRateHz !== mapping.clockRateHz) continue;
    const events = eventsBeside(codec, line);
    const direction = mirrored[line.direction];
    return {
      mediaIndex,
      codec,
      payloadType: mapping.payloadType,
      telephoneEventPayloadType: events?.payloadType ?? null,
      telephoneEventClockRateHz: events?.clockRateHz ?? codec.clockRateHz,
      mappings: line.mappings,
      security,
      rtcp: { mux: line.rtcpMux, port: line.rtcpPort },
      remote: { address: line.address, port: line.port },
      packetMs: line.maxPacketMs !== null && line.maxPacketMs < 20 ? 10 : 20,
      direction: isUnspecified(line.address) ? withoutSending(direction) : direction,
    };
  }
  return null;
}

/**
 * Selects the first supported audio line of an offer or answer, and on it the first codec of `allowed` in the
 * description's order. Returns null when there is none. `choose` decides how a line is encrypted; default: not at all.
 * @see RFC 3264 §6
 */
export function agree(
  description: SessionDescription,
  allowed: readonly CodecName[],
  choose: ChooseSecurity = unencryptedOnly,
): Agreement | null {
  for (const [index, line] of description.media.entries()) {
    const agreement = agreeOn(line, index, allowed, choose);
    if (agreement !== null) return agreement;
  }
  return null;
}

/** Returns why `agree` found no line, as the text of a Warning header. @see RFC 3261 §20.43 */
export function disagreement(description: SessionDescription): string {
  const faulty = description.media.find((line) => line.type === 'audio' && line.port !== 0 && line.fault !== null);
  return faulty?.fault ?? '304 - "No audio stream is offered with a codec and an encryption that are spoken here"';
}

import { type Agreement, audioCodecs, type CodecName, type Endpoint } from '@va/media';
import { type Offer, OfferError } from './offer.ts';

/**
 * Selects the first supported codec of an offer. `security` is null, because the SRTP keys come from the DTLS
 * handshake.
 * @param remote placeholder for the far end, whose address ICE selects
 * @throws OfferError
 */
export function agree(offer: Offer, codecs: readonly CodecName[], remote: Endpoint): Agreement {
  for (const { payloadType, encodingName, clockRateHz } of offer.mappings) {
    const name = codecs.find((each) => each === encodingName);
    const codec = name === undefined ? undefined : audioCodecs[name];
    if (codec?.clockRateHz !== clockRateHz) continue;
    const all = offer.mappings.filter((each) => each.encodingName === 'telephone-event');
    const events = all.find((each) => each.clockRateHz === clockRateHz) ?? all[0];
    return {
      mediaIndex: offer.audioIndex,
      codec,
      payloadType,
      telephoneEventPayloadType: events?.payloadType ?? null,
      telephoneEventClockRateHz: events?.clockRateHz ?? clockRateHz,
      mappings: offer.mappings,
      security: null,
      rtcp: { mux: true, port: remote.port },
      remote,
      packetMs: offer.maxPacketMs !== null && offer.maxPacketMs < 20 ? 10 : 20,
      direction: 'sendrecv',
    };
  }
  throw new OfferError('unacceptable', `The offer has none of the codecs ${codecs.join(', ')}.`);
}

import { sampleRateHz } from './frame.ts';
import { G722Decoder, G722Encoder } from './g722/g722.ts';
import { type LegEncoding, legAudio } from './leg-encoding.ts';
import { decodeSamples, encodeSamples } from './leg-samples.ts';
import { createResampler } from './resampler.ts';
import type { SpeechDecoder, SpeechEncoder } from './speech-codec.ts';

const rateHz = 2 * sampleRateHz;
/** Maximum payload: 200 ms. Longer ones are not speech. */
const maxBytes = 1_600;

export function createG722Decoder(encoding: LegEncoding): SpeechDecoder {
  const decoder = new G722Decoder();
  const toLegRate = createResampler(rateHz, legAudio[encoding].sampleRateHz);
  return {
    decode: (payload) =>
      payload.length > maxBytes ? null : encodeSamples(encoding, toLegRate(decoder.decode(payload))),
  };
}

export function createG722Encoder(encoding: LegEncoding): SpeechEncoder {
  const encoder = new G722Encoder();
  const fromLegRate = createResampler(legAudio[encoding].sampleRateHz, rateHz);
  return { encode: (frame) => encoder.encode(fromLegRate(decodeSamples(encoding, frame))) };
}

import { decodeG711, encodeG711, type G711Encoding } from './g711.ts';
import { G722Decoder, G722Encoder } from './g722.ts';
import { createResampler } from './resampler.ts';
import type { SpeechDecoder, SpeechEncoder } from './speech-codec.ts';

const wideHz = 16_000;
const narrowHz = 8_000;
/** Maximum payload: 200 ms. Longer ones are not speech. */
const maxBytes = 1_600;

export function createG722Decoder(encoding: G711Encoding): SpeechDecoder {
  const decoder = new G722Decoder();
  const narrow = createResampler(wideHz, narrowHz);
  return {
    decode: (payload) => (payload.length > maxBytes ? null : encodeG711(encoding, narrow(decoder.decode(payload)))),
  };
}

export function createG722Encoder(encoding: G711Encoding): SpeechEncoder {
  const encoder = new G722Encoder();
  const widen = createResampler(narrowHz, wideHz);
  return { encode: (frame) => encoder.encode(widen(decodeG711(encoding, frame))) };
}

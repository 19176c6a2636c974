import { decodeG711, encodeG711, type G711Encoding } from './g711.ts';
import { type LegEncoding, legAudio } from './leg-encoding.ts';
import { decodeSamples, encodeSamples } from './leg-samples.ts';
import { createResampler } from './resampler.ts';
import type { SpeechDecoder, SpeechEncoder } from './speech-codec.ts';

/** Maximum payload in samples: 200 ms. */
const maxBytes = 1_600;

/** Same encoding on both sides: bytes pass through unchanged. */
const unchanged: SpeechDecoder & SpeechEncoder = {
  decode: (payload) => payload,
  encode: (frame) => frame,
};

function createConverter(from: G711Encoding, to: G711Encoding): (codes: Uint8Array) => Uint8Array {
  const table = encodeG711(
    to,
    decodeG711(
      from,
      Uint8Array.from({ length: 256 }, (_, code) => code),
    ),
  );
  const converted = new Uint8Array(maxBytes);
  return (codes) => {
    const length = Math.min(codes.length, maxBytes);
    for (let i = 0; i < length; i++) converted[i] = table[codes[i] as number] as number;
    return converted.subarray(0, length);
  };
}

/** Converts between G.711 on the wire and 16 kHz in the leg. */
function createRateConverter(wire: G711Encoding, within: 'pcm16'): SpeechDecoder & SpeechEncoder {
  const { sampleRateHz } = legAudio[within];
  const widen = createResampler(legAudio[wire].sampleRateHz, sampleRateHz);
  const narrow = createResampler(sampleRateHz, legAudio[wire].sampleRateHz);
  return {
    decode: (payload) => encodeSamples(within, widen(decodeG711(wire, payload.subarray(0, maxBytes)))),
    encode: (frame) => encodeG711(wire, narrow(decodeSamples(within, frame))),
  };
}

/** Converts between G.711 on the wire and the encoding of the leg. */
export function createG711Codec(wire: G711Encoding, within: LegEncoding): SpeechDecoder & SpeechEncoder {
  if (wire === within) return unchanged;
  if (within === 'pcm16') return createRateConverter(wire, within);
  return { decode: createConverter(wire, within), encode: createConverter(within, wire) };
}

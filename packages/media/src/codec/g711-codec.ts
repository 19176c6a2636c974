import { decodeG711, encodeG711, type G711Encoding } from './g711.ts';
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

/** Converts between μ-law and A-law on the wire and in the call. */
export function createG711Codec(wire: G711Encoding, within: G711Encoding): SpeechDecoder & SpeechEncoder {
  if (wire === within) return unchanged;
  return { decode: createConverter(wire, within), encode: createConverter(within, wire) };
}

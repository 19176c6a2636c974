/**
 * G.711 μ-law and A-law by table: one lookup per sample in each direction.
 * @see ITU-T G.711
 */
function muLawToLinear(code: number): number {
  const inverted = ~code & 0xff;
  const exponent = (inverted >> 4) & 7;
  const magnitude = (((inverted & 0x0f) << 3) + 0x84) << exponent;
  return inverted & 0x80 ? 0x84 - magnitude : magnitude - 0x84;
}

function linearToMuLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), 32_635) + 0x84;
  const exponent = 24 - Math.clz32(magnitude);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function aLawToLinear(code: number): number {
  const toggled = code ^ 0x55;
  const exponent = (toggled >> 4) & 7;
  const base = ((toggled & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? base : (base + 0x100) << (exponent - 1);
  return toggled & 0x80 ? magnitude : -magnitude;
}

function linearToALaw(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0;
  const magnitude = Math.min(sample >= 0 ? sample : -sample - 1, 32_767);
  const exponent = Math.max(0, 24 - Math.clz32(magnitude));
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}

function decodeTable(toLinear: (code: number) => number): Int16Array {
  return Int16Array.from({ length: 256 }, (_, code) => toLinear(code));
}

function encodeTable(fromLinear: (sample: number) => number): Uint8Array {
  return Uint8Array.from({ length: 65_536 }, (_, bits) => fromLinear((bits << 16) >> 16));
}

interface Tables {
  readonly decode: Int16Array;
  readonly encode: Uint8Array;
}

const tables: Readonly<Record<G711Encoding, Tables>> = {
  pcmu: { decode: decodeTable(muLawToLinear), encode: encodeTable(linearToMuLaw) },
  pcma: { decode: decodeTable(aLawToLinear), encode: encodeTable(linearToALaw) },
};

/** μ-law (`pcmu`) or A-law (`pcma`). @see ITU-T G.711 */
export type G711Encoding = 'pcmu' | 'pcma';

/** Code of a zero sample, sent on a silent line. */
export const g711Silence: Readonly<Record<G711Encoding, number>> = { pcmu: 0xff, pcma: 0xd5 };

/** Decodes into `into` (one sample per byte of `codes`) and returns it. */
export function decodeG711(
  encoding: G711Encoding,
  codes: Uint8Array,
  into: Int16Array = new Int16Array(codes.length),
): Int16Array {
  const table = tables[encoding].decode;
  for (let i = 0; i < codes.length; i++) into[i] = table[codes[i] as number] as number;
  return into;
}

/** Encodes into `into` (one byte per sample) and returns it. */
export function encodeG711(
  encoding: G711Encoding,
  samples: Int16Array,
  into: Uint8Array = new Uint8Array(samples.length),
): Uint8Array {
  const table = tables[encoding].encode;
  for (let i = 0; i < samples.length; i++) into[i] = table[(samples[i] as number) & 0xffff] as number;
  return into;
}

/** Interleaves two channels of equal length into stereo samples of twice the length; returns them. */
export function interleaveG711(
  encoding: G711Encoding,
  left: Uint8Array,
  right: Uint8Array,
  into: Int16Array,
): Int16Array {
  const table = tables[encoding].decode;
  for (let i = 0; i < left.length; i++) {
    into[2 * i] = table[left[i] as number] as number;
    into[2 * i + 1] = table[right[i] as number] as number;
  }
  return into;
}

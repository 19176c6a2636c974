import { describe, expect, it } from 'vitest';
import { parseWavFormat } from '../../src/recordings/wav-format.ts';

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A chunk that announces `size` bytes, by default those that it has. */
const chunk = (name: string, body: Buffer, size = body.byteLength): Buffer =>
  Buffer.concat([ascii(name), uint32(size), body]);

type FormatFields = Record<'tag' | 'channels' | 'rateHz' | 'bits' | 'frameBytes', number>;

/** Contents of a `fmt ` chunk. */
function format(fields: Partial<FormatFields> = {}): Buffer {
  const { tag = 1, channels = 2, rateHz = 8_000, bits = 16 } = fields;
  const { frameBytes = (channels * bits) / 8 } = fields;
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16LE(tag, 0);
  bytes.writeUInt16LE(channels, 2);
  bytes.writeUInt32LE(rateHz, 4);
  bytes.writeUInt32LE(rateHz * frameBytes, 8);
  bytes.writeUInt16LE(frameBytes, 12);
  bytes.writeUInt16LE(bits, 14);
  return bytes;
}

const wav = (...chunks: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(chunks);
  return Buffer.concat([ascii('RIFF'), uint32(body.byteLength + 4), ascii('WAVE'), body]);
};

const dataOf = (announced: number): Buffer => chunk('data', Buffer.alloc(0), announced);

describe('parseWavFormat', () => {
  it('returns the layout of the samples', () => {
    const head = wav(chunk('fmt ', format()), dataOf(400));
    expect(parseWavFormat(head, 444)).toEqual({ channels: 2, sampleRateHz: 8_000, dataStart: 44, dataBytes: 400 });
  });

  it('reads a head that is a part of a larger buffer', () => {
    const head = wav(chunk('fmt ', format({ channels: 1, rateHz: 16_000 })), dataOf(400));
    const within = Buffer.concat([Buffer.alloc(3), head]).subarray(3);
    expect(parseWavFormat(within, 444)).toMatchObject({ channels: 1, sampleRateHz: 16_000, dataStart: 44 });
  });

  it.each([
    ['of an even size', 4, 56],
    ['of an odd size with its padding', 5, 58],
  ])('skips a chunk before the samples %s', (_case, size, dataStart) => {
    const other = chunk('LIST', Buffer.alloc(size + (size % 2)), size);
    const head = wav(chunk('fmt ', format()), other, dataOf(8));
    expect(parseWavFormat(head, head.byteLength + 8)).toMatchObject({ dataStart, dataBytes: 8 });
  });

  it.each([
    ['announced, if all are present', 400, 444, 400],
    ['announced, if other chunks follow', 400, 600, 400],
    ['present, if more are announced', 400, 244, 200],
    ['present, if none is announced', 0, 244, 200],
    ['of whole frames alone', 0, 247, 200],
    ['none, if the file ends with its header', 0, 44, 0],
    ['none, if the file is shorter than its head', 400, 20, 0],
  ])('counts the bytes that are %s', (_case, announced, byteLength, dataBytes) => {
    const head = wav(chunk('fmt ', format()), dataOf(announced));
    expect(parseWavFormat(head, byteLength)?.dataBytes).toBe(dataBytes);
  });

  it('accepts the extensible form of PCM', () => {
    const extended = Buffer.concat([format({ tag: 0xfffe }), Buffer.alloc(24)]);
    expect(parseWavFormat(wav(chunk('fmt ', extended), dataOf(4)), 72)).toMatchObject({ dataStart: 68, dataBytes: 4 });
  });

  it.each([
    ['mu-law', { tag: 7, bits: 8 }],
    ['floating point', { tag: 3, bits: 32 }],
    ['samples of 8 bits', { bits: 8 }],
    ['frames of another size than that of the samples', { frameBytes: 6 }],
    ['no channels', { channels: 0 }],
    ['three channels', { channels: 3 }],
    ['a sample rate of 0', { rateHz: 0 }],
  ])('returns null for %s', (_case, fields) => {
    expect(parseWavFormat(wav(chunk('fmt ', format(fields)), dataOf(400)), 444)).toBeNull();
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another container', Buffer.concat([ascii('OggS'), wav(chunk('fmt ', format()), dataOf(4)).subarray(4)])],
    ['another RIFF form', Buffer.concat([ascii('RIFF'), uint32(4), ascii('AVI '), chunk('fmt ', format()), dataOf(4)])],
    ['samples before their format', wav(dataOf(0), chunk('fmt ', format()))],
    ['a format that is cut off', wav(chunk('fmt ', format().subarray(0, 14)), dataOf(4)).subarray(0, 34)],
    ['a head without samples', wav(chunk('fmt ', format()))],
    ['a chunk beyond the head', wav(chunk('fmt ', format()), chunk('LIST', Buffer.alloc(0), 4_294_967_295))],
  ])('returns null for %s', (_case, head) => {
    expect(parseWavFormat(head, 444)).toBeNull();
  });
});

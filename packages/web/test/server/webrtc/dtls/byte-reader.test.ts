import { describe, expect, it } from 'vitest';
import { ByteReader, MalformedMessage, uint, vector } from '../../../../src/server/webrtc/dtls/byte-reader.ts';

const reader = (hex: string): ByteReader => new ByteReader(Buffer.from(hex, 'hex'));

describe('ByteReader', () => {
  it('reads big-endian fields one after another', () => {
    const fields = reader('01' + '0203' + '040506' + '0708');
    expect([fields.uint8(), fields.uint16(), fields.uint24()]).toEqual([0x01, 0x0203, 0x040506]);
    expect(fields.isAtEnd).toBe(false);
    expect(fields.bytes(2).toString('hex')).toBe('0708');
    expect(fields.isAtEnd).toBe(true);
  });

  it.each([
    [1, '02aabbcc'],
    [2, '0002aabbcc'],
    [3, '000002aabbcc'],
  ] as const)('reads a vector with a length of %i bytes', (lengthBytes, hex) => {
    const fields = reader(hex);
    expect(fields.vector(lengthBytes).toString('hex')).toBe('aabb');
    expect(fields.uint8()).toBe(0xcc);
  });

  it('reads a vector of numbers', () => {
    expect(reader('04000102ff').uint16s(1)).toEqual([1, 0x02ff]);
    expect(reader('0000').uint16s(2)).toEqual([]);
  });

  it.each<[string, (fields: ByteReader) => unknown, string]>([
    ['uint8', (fields) => fields.uint8(), ''],
    ['uint16', (fields) => fields.uint16(), '01'],
    ['uint24', (fields) => fields.uint24(), '0102'],
    ['bytes', (fields) => fields.bytes(2), '01'],
    ['vector without its length', (fields) => fields.vector(2), '00'],
    ['vector that is cut off', (fields) => fields.vector(1), '0301'],
    ['vector of numbers with half a number', (fields) => fields.uint16s(1), '03000102'],
  ])('throws for a %s beyond the end', (_, read, hex) => {
    expect(() => read(reader(hex))).toThrow(MalformedMessage);
  });
});

describe('uint and vector', () => {
  it.each([
    [0, 1, '00'],
    [0xabcd, 2, 'abcd'],
    [0xabcd, 3, '00abcd'],
    [0xffff_ffff_ffff, 6, 'ffffffffffff'],
  ])('write %i in %i bytes', (value, byteCount, hex) => {
    expect(uint(value, byteCount).toString('hex')).toBe(hex);
  });

  it('writes the length of all parts before them', () => {
    expect(vector(2, Buffer.of(1), Buffer.of(2, 3)).toString('hex')).toBe('0003010203');
    expect(vector(1).toString('hex')).toBe('00');
  });
});

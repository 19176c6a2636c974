import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUint16, readUint32, writeUint16, writeUint32 } from '../../src/runtime/bytes.ts';

describe('numbers in network byte order', () => {
  it('agree with DataView for any value and address', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(4), (value, at) => {
        const bytes = new Uint8Array(8);
        const view = new DataView(bytes.buffer);
        writeUint32(bytes, at, value);
        expect(view.getUint32(at)).toBe(value);
        expect(readUint32(bytes, at)).toBe(value);
        writeUint16(bytes, at, value & 0xffff);
        expect(readUint16(bytes, at)).toBe(view.getUint16(at));
      }),
      { numRuns: 50 },
    );
  });

  it('are written modulo their size, also from negative ones', () => {
    const bytes = new Uint8Array(4);
    writeUint32(bytes, 0, -1);
    expect(readUint32(bytes, 0)).toBe(0xffffffff);
    writeUint32(bytes, 0, 2 ** 32 + 258);
    expect([...bytes]).toEqual([0, 0, 1, 2]);
    writeUint16(bytes, 0, 0x1_0203);
    expect(readUint16(bytes, 0)).toBe(0x0203);
  });
});

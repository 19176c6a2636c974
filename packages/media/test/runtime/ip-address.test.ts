import { describe, expect, it } from 'vitest';
import { isUnspecified, normalizeAddress } from '../../src/runtime/ip-address.ts';

describe('normalizeAddress', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:201', '192.0.2.1'],
    ['::192.0.2.1', '::192.0.2.1'],
    ['example.com', 'example.com'],
    ['', ''],
    ['::g', '::g'],
    ['1.2.3.4%eth0', '1.2.3.4%eth0'],
  ])('returns %j as %j', (address, normal) => {
    expect(normalizeAddress(address)).toBe(normal);
  });

  it('returns the same for an address that is normal already', () => {
    for (const address of ['2001:db8::1', '::', '192.0.2.1']) expect(normalizeAddress(address)).toBe(address);
  });
});

describe('isUnspecified', () => {
  it.each([
    ['0.0.0.0', true],
    ['::', true],
    ['0.0.0.1', false],
    ['::1', false],
    ['', false],
  ])('of %j is %s', (address, expected) => {
    expect(isUnspecified(address)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { newToken, tokenHash, tokenKind } from '../../src/calls/token.ts';

const zeros = (count: number): Uint8Array => new Uint8Array(count);
const secret = 'A'.repeat(43);

describe('newToken', () => {
  it('encodes 256 random bits, with a prefix for supervisors', () => {
    expect(newToken('call', zeros)).toBe(secret);
    expect(newToken('supervision', zeros)).toBe(`s.${secret}`);
  });
});

describe('tokenKind', () => {
  it.each(['call', 'supervision'] as const)('recognizes a token for a %s', (kind) => {
    const ones = (count: number): Uint8Array => new Uint8Array(count).fill(0xff);
    expect(tokenKind(newToken(kind, ones))).toBe(kind);
  });

  it.each([
    ['an empty text', ''],
    ['a prefix alone', 's.'],
    ['a short secret', secret.slice(1)],
    ['a long secret', `${secret}A`],
    ['a character outside of base64url', `${secret.slice(1)}+`],
    ['another prefix', `t.${secret}`],
    ['two prefixes', `s.s.${secret}`],
    ['a line break after the secret', `${secret}\n`],
  ])('refuses %s', (_what, text) => {
    expect(tokenKind(text)).toBeNull();
  });
});

describe('tokenHash', () => {
  it('is the hexadecimal SHA-256 of the whole token', () => {
    // Test vector of FIPS 180-4 for "abc".
    expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(tokenHash(secret)).not.toBe(tokenHash(`s.${secret}`));
  });
});

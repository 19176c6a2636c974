import { describe, expect, it } from 'vitest';
import { computeDigest, type DigestParts, toDigestAlgorithm } from '../../src/auth/digest.ts';
import { noBody } from '../../src/message/message.ts';

/** @see RFC 7616 §3.9.1 */
const rfc7616: DigestParts = {
  algorithm: 'MD5',
  username: 'Mufasa',
  realm: 'http-auth@example.org',
  password: 'Circle of Life',
  method: 'GET',
  uri: '/dir/index.html',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  nc: '00000001',
  qop: 'auth',
  body: noBody,
};

describe('computeDigest', () => {
  it('matches RFC 7616 for MD5 and SHA-256', () => {
    expect(computeDigest(rfc7616)).toBe('8ca523f5e9506fed4657c9700eebdbec');
    expect(computeDigest({ ...rfc7616, algorithm: 'SHA-256' })).toBe(
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    );
  });

  it('matches OpenSSL for SHA-512-256 with a non-ASCII user name', () => {
    // The example of RFC 7616 §3.9.2, but with the plain user name. The value is that of `openssl dgst -sha512-256`.
    const digest = computeDigest({
      ...rfc7616,
      algorithm: 'SHA-512-256',
      username: 'Jäsøn Doe',
      realm: 'api@example.org',
      password: 'Secret, or not?',
      uri: '/doe.json',
      nonce: '5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK',
      cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm',
    });
    expect(digest).toBe('7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c');
  });

  it('follows RFC 2069 without quality of protection', () => {
    const old = { ...rfc7616, username: 'bob', realm: 'biloxi.com', password: 'zanzibar', method: 'INVITE', qop: null };
    const digest = computeDigest({ ...old, uri: 'sip:bob@biloxi.com', nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093' });
    // Test vectors of Smith, "Digest Authentication Examples for SIP", §3.1.
    expect(digest).toBe('bf57e4e0d0bffc0fbaedce64d59add5e');
  });

  it.each([
    [{ qop: 'auth' as const }, '89eb0059246c02b2f6ee02c7961d5ea3'],
    [{ qop: 'auth' as const, algorithm: 'MD5-sess' as const }, 'e4e4ea61d186d07a92c9e1f6919902e9'],
  ])('matches the SIP examples for %o', (parts, expected) => {
    const digest = computeDigest({
      ...rfc7616,
      username: 'bob',
      realm: 'biloxi.com',
      password: 'zanzibar',
      method: 'INVITE',
      uri: 'sip:bob@biloxi.com',
      nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
      cnonce: '0a4f113b',
      ...parts,
    });
    expect(digest).toBe(expected);
  });

  it('covers the body with auth-int', () => {
    const over = (text: string) => computeDigest({ ...rfc7616, qop: 'auth-int', body: Buffer.from(text) });
    expect(over('v=0')).not.toBe(over('v=1'));
  });

  it('matches algorithm names in any case, and no others', () => {
    expect(toDigestAlgorithm('sha-256')).toBe('SHA-256');
    expect(toDigestAlgorithm('MD5-SESS')).toBe('MD5-sess');
    expect(toDigestAlgorithm('SHA-1')).toBeNull();
  });
});

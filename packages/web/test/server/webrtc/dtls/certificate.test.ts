import { createHash, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCertificate, fingerprintOf, publicKeyOf } from '../../../../src/server/webrtc/dtls/certificate.ts';

const certificateOf = (byte: number) => createCertificate((count) => new Uint8Array(count).fill(byte));

describe('createCertificate', () => {
  const { der, key, fingerprint } = certificateOf(5);
  const parsed = new X509Certificate(der);

  it('signs itself with a key on P-256', () => {
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(parsed.checkPrivateKey(key)).toBe(true);
  });

  it('has no expiration date', () => {
    expect([parsed.subject, parsed.validTo]).toEqual(['CN=va', 'Dec 31 23:59:59 9999 GMT']);
  });

  it('has the fingerprint that a far end computes', () => {
    expect(fingerprint).toBe(parsed.fingerprint256);
  });

  it.each([0x00, 0x40, 0x7f, 0x80, 0xff])('has a positive serial number of 16 bytes, also from %i', (byte) => {
    const { serialNumber } = new X509Certificate(certificateOf(byte).der);
    expect(serialNumber).toHaveLength(32);
    expect(Number.parseInt(serialNumber.slice(0, 2), 16) & 0xc0).toBe(0x40);
  });

  it('has a key of its own', () => {
    expect(certificateOf(5).fingerprint).not.toBe(fingerprint);
  });
});

describe('fingerprintOf', () => {
  it.each(['sha-256', 'sha-384', 'sha-512'] as const)('writes %s as pairs of capital digits', (algorithm) => {
    const text = fingerprintOf(Buffer.from('abc'), algorithm);
    expect(text).toMatch(/^[0-9A-F]{2}(?::[0-9A-F]{2})+$/);
    const digest = createHash(algorithm.replace('-', '')).update('abc').digest('hex');
    expect(text.replaceAll(':', '').toLowerCase()).toBe(digest);
  });
});

describe('publicKeyOf', () => {
  it('reads the key of a certificate', () => {
    expect(publicKeyOf(certificateOf(5).der)?.asymmetricKeyType).toBe('ec');
  });

  it('is null for anything that is no certificate', () => {
    const { der } = certificateOf(5);
    for (const bytes of [Buffer.alloc(0), Buffer.from('text'), der.subarray(0, -1), Buffer.alloc(1_000, 0x30)]) {
      expect(publicKeyOf(bytes)).toBeNull();
    }
  });
});

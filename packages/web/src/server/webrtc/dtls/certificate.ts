import { generateKeyPairSync, hash, type KeyObject, sign, X509Certificate } from 'node:crypto';
import type { RandomBytes } from '@va/core/adapter';

/** A self-signed certificate, which far ends verify by its fingerprint in the SDP. */
export interface DtlsCertificate {
  readonly key: KeyObject;
  readonly der: Buffer;
  /** SHA-256, as in `a=fingerprint`. @see RFC 8122 §5 */
  readonly fingerprint: string;
}

const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const commonName = Buffer.from('0603550403', 'hex');

/** Creates a key on P-256 and a certificate for it. @see RFC 5280 §4.1 */
export function createCertificate(random: RandomBytes): DtlsCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(element(0x31, sequence(commonName, element(0x0c, Buffer.from('va')))));
  const serial = Buffer.from(random(16));
  // Makes the serial number a positive integer without leading zero bytes.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  const signed = sequence(
    element(0xa0, integer(Buffer.of(2))),
    integer(serial),
    ecdsaWithSha256,
    name,
    // No expiration date (RFC 5280 §4.1.2.5): the certificate lives as long as the process.
    sequence(element(0x17, Buffer.from('200101000000Z')), element(0x18, Buffer.from('99991231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', signed, privateKey);
  const der = sequence(signed, ecdsaWithSha256, element(0x03, Buffer.concat([Buffer.of(0), signature])));
  return { key: privateKey, der, fingerprint: fingerprintOf(der, 'sha-256') };
}

export type FingerprintHash = 'sha-256' | 'sha-384' | 'sha-512';

/** Returns a fingerprint in the notation of SDP: `12:AB:…`. */
export function fingerprintOf(der: Uint8Array, algorithm: FingerprintHash): string {
  const hex = hash(algorithm.replace('-', ''), der, 'hex').toUpperCase();
  return hex.replace(/(..)(?!$)/g, '$1:');
}

/** Returns the public key of a certificate; null if it cannot be parsed. */
export function publicKeyOf(der: Buffer): KeyObject | null {
  try {
    return new X509Certificate(der).publicKey;
  } catch {
    return null;
  }
}

/** Encodes a DER element. */
function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(content);
  const { length } = value;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), value]);
}

function sequence(...content: readonly Uint8Array[]): Buffer {
  return element(0x30, ...content);
}

function integer(value: Uint8Array): Buffer {
  return element(0x02, value);
}

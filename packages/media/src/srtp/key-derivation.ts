import { createCipheriv } from 'node:crypto';
import type { SrtpSuite } from './suites.ts';

/** Session keys of one direction, for RTP and RTCP. */
export interface SessionKeys {
  readonly cipherKey: Buffer;
  /** Empty for AEAD suites, which authenticate with the cipher key. */
  readonly authenticationKey: Buffer;
  readonly salt: Buffer;
}

const authenticationKeyBytes = 20;
const saltBlockBytes = 16;

/** @param label 0 for RTP, 3 for RTCP: the first of three consecutive labels */
function derive(suite: SrtpSuite, master: Uint8Array, label: number): SessionKeys {
  const key = master.subarray(0, suite.keyBytes);
  const salt = master.subarray(suite.keyBytes);
  const generate = (index: number, length: number): Buffer => {
    // The label is the seventh byte from the end of the 14-byte salt; a shorter salt is padded with zeros (RFC 7714
    // §11).
    const iv = Buffer.alloc(saltBlockBytes);
    iv.set(salt);
    iv[7] = (iv[7] as number) ^ (label + index);
    return createCipheriv(`aes-${suite.keyBytes * 8}-ctr`, key, iv).update(Buffer.alloc(length));
  };
  return {
    cipherKey: generate(0, suite.keyBytes),
    authenticationKey: suite.aead ? Buffer.alloc(0) : generate(1, authenticationKeyBytes),
    salt: generate(2, suite.saltBytes),
  };
}

/**
 * Derives the session keys of a master key. They are never renewed (key derivation rate 0).
 * @see RFC 3711 §4.3, RFC 6188 §3
 */
export function deriveKeys(
  suite: SrtpSuite,
  master: Uint8Array,
): { readonly rtp: SessionKeys; readonly rtcp: SessionKeys } {
  return { rtp: derive(suite, master, 0), rtcp: derive(suite, master, 3) };
}

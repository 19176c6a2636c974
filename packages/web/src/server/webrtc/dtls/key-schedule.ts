import { createHash } from 'node:crypto';
import { type SrtpSuiteName, srtpSuites } from '@va/media';
import { prf } from './prf.ts';
import type { RecordKeys } from './record.ts';

const masterSecretBytes = 48;
const keyBytes = 16;
const ivBytes = 4;
const verifyBytes = 12;

/** Randoms of both hellos. */
export interface Randoms {
  readonly client: Uint8Array;
  readonly server: Uint8Array;
}

/** The SRTP keys of both directions, each a master key followed by its salt. */
export interface DtlsSrtpKeys {
  readonly suite: SrtpSuiteName;
  readonly localKey: Uint8Array;
  readonly remoteKey: Uint8Array;
}

function sha256(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

/** @param transcript all messages up to ClientKeyExchange @see RFC 7627 §4 */
export function extendedMasterSecret(shared: Uint8Array, transcript: Uint8Array): Buffer {
  return prf(shared, 'extended master secret', sha256(transcript), masterSecretBytes);
}

/** @see RFC 5246 §6.3 */
export function recordKeys(master: Uint8Array, { client, server }: Randoms): RecordKeys {
  const block = prf(master, 'key expansion', Buffer.concat([server, client]), 2 * (keyBytes + ivBytes));
  return {
    clientKey: block.subarray(0, 16),
    serverKey: block.subarray(16, 32),
    clientIv: block.subarray(32, 36),
    serverIv: block.subarray(36, 40),
  };
}

/** @see RFC 5246 §7.4.9 */
export function verifyData(master: Uint8Array, sender: 'client' | 'server', transcript: Uint8Array): Buffer {
  return prf(master, `${sender} finished`, sha256(transcript), verifyBytes);
}

/** Exports the keys of the media; the service is the server. @see RFC 5764 §4.2 */
export function srtpKeys(suite: SrtpSuiteName, master: Uint8Array, { client, server }: Randoms): DtlsSrtpKeys {
  const { keyBytes: key, saltBytes: salt } = srtpSuites[suite];
  const exported = prf(master, 'EXTRACTOR-dtls_srtp', Buffer.concat([client, server]), 2 * (key + salt));
  const salts = 2 * key;
  return {
    suite,
    remoteKey: Buffer.concat([exported.subarray(0, key), exported.subarray(salts, salts + salt)]),
    localKey: Buffer.concat([exported.subarray(key, salts), exported.subarray(salts + salt)]),
  };
}

/** @see RFC 4568 §6.2, RFC 6188 §2, RFC 7714 §14.2 */
export type SrtpSuiteName =
  | 'AES_CM_128_HMAC_SHA1_80'
  | 'AES_CM_128_HMAC_SHA1_32'
  | 'AES_256_CM_HMAC_SHA1_80'
  | 'AEAD_AES_128_GCM'
  | 'AEAD_AES_256_GCM';

export interface SrtpSuite {
  readonly name: SrtpSuiteName;
  readonly keyBytes: number;
  readonly saltBytes: number;
  /** Bytes of the authentication tag of RTP packets. */
  readonly rtpTagBytes: number;
  /** RTCP keeps the long tag also if RTP has a short one. @see RFC 4568 §6.2.2 */
  readonly rtcpTagBytes: number;
  readonly aead: boolean;
}

function counterMode(name: SrtpSuiteName, keyBytes: number, rtpTagBytes: number): SrtpSuite {
  return { name, keyBytes, saltBytes: 14, rtpTagBytes, rtcpTagBytes: 10, aead: false };
}

function galoisMode(name: SrtpSuiteName, keyBytes: number): SrtpSuite {
  return { name, keyBytes, saltBytes: 12, rtpTagBytes: 16, rtcpTagBytes: 16, aead: true };
}

export const srtpSuites: Readonly<Record<SrtpSuiteName, SrtpSuite>> = {
  AES_CM_128_HMAC_SHA1_80: counterMode('AES_CM_128_HMAC_SHA1_80', 16, 10),
  AEAD_AES_128_GCM: galoisMode('AEAD_AES_128_GCM', 16),
  AES_256_CM_HMAC_SHA1_80: counterMode('AES_256_CM_HMAC_SHA1_80', 32, 10),
  AEAD_AES_256_GCM: galoisMode('AEAD_AES_256_GCM', 32),
  AES_CM_128_HMAC_SHA1_32: counterMode('AES_CM_128_HMAC_SHA1_32', 16, 4),
};

/**
 * Returns the suite with this name in SDP; null for an unknown one.
 * @see RFC 4568 §6.2
 */
export function toSrtpSuite(name: string): SrtpSuite | null {
  return Object.hasOwn(srtpSuites, name) ? srtpSuites[name as SrtpSuiteName] : null;
}

/**
 * The suites in the order of our offers: first the one that every peer supports, the suite with a short tag last, and
 * between them the stronger ones by rising strength.
 */
export const offeredSuites: readonly SrtpSuiteName[] = Object.values(srtpSuites).map(({ name }) => name);

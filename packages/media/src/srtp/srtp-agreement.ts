import type { SrtpSuiteName } from './suites.ts';

/** Negotiated encryption of both directions of a stream. @see RFC 4568 */
export interface SrtpAgreement {
  readonly tag: number;
  readonly suite: SrtpSuiteName;
  readonly localKey: Uint8Array;
  readonly remoteKey: Uint8Array;
  readonly remoteMkiBytes: number;
}

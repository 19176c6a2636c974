import { CounterCipher } from './counter-cipher.ts';
import { GaloisCipher } from './galois-cipher.ts';
import type { SessionKeys } from './key-derivation.ts';
import type { PacketCipher, PacketKind } from './packet-cipher.ts';
import type { SrtpSuite } from './suites.ts';

/** @param mkiBytes length of the key identifier in the sender's packets */
export function createPacketCipher(
  suite: SrtpSuite,
  keys: SessionKeys,
  kind: PacketKind,
  mkiBytes: number,
): PacketCipher {
  return suite.aead ? new GaloisCipher(suite, keys, kind, mkiBytes) : new CounterCipher(suite, keys, kind, mkiBytes);
}

import { readFileSync } from 'node:fs';
import type { TlsIdentity } from '../../src/transport/tls-options.ts';

function read(name: string): string {
  return readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');
}

/** CA of the two others. All three are valid until 2120, and used in tests only. */
export const authority: string = read('ca.pem');
/** For localhost, sip.example.test, 127.0.0.1 and ::1. */
export const loopbackIdentity: TlsIdentity = { cert: read('loopback.pem'), key: read('loopback.key') };
/** For other.example.test. */
export const otherIdentity: TlsIdentity = { cert: read('other.pem'), key: read('other.key') };

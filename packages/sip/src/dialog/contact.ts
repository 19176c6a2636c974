import { toHost } from '../transport/address.ts';
import type { Flow } from '../transport/flow.ts';

/**
 * Builds the local Contact: the URI at which the peer's requests within a dialog arrive.
 * @param isSecure whether it must be a SIPS URI (RFC 3261 §8.1.1.8, §12.1.1), which implies TLS
 */
export function contactFor(flow: Flow, isSecure = false): string {
  const { address, port } = flow.advertised;
  const place = `${toHost(address)}:${port}`;
  if (isSecure) return `<sips:${place}>`;
  return `<sip:${place}${flow.transport === 'udp' ? '' : `;transport=${flow.transport}`}>`;
}

/** Tells whether a URI has the scheme `sips:`; false without a URI. */
export function isSips(uri: string | undefined): boolean {
  return /^sips:/i.test(uri ?? '');
}

import { toHost } from '../transport/address.ts';
import type { Flow } from '../transport/flow.ts';

/**
 * Our Contact: where the peer's requests within a dialog reach us.
 * @param isSecure whether it must be a SIPS URI (RFC 3261 §8.1.1.8, §12.1.1), of which TLS is part
 */
export function contactFor(flow: Flow, isSecure = false): string {
  const { address, port } = flow.advertised;
  const place = `${toHost(address)}:${port}`;
  if (isSecure) return `<sips:${place}>`;
  return `<sip:${place}${flow.transport === 'udp' ? '' : `;transport=${flow.transport}`}>`;
}

export function isSips(uri: string | undefined): boolean {
  return /^sips:/i.test(uri ?? '');
}

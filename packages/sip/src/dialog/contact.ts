import { toHost } from '../transport/address.ts';
import type { Flow } from '../transport/flow.ts';

/** Our Contact: where the peer's requests within a dialog reach us. */
export function contactFor(flow: Flow): string {
  const { address, port } = flow.advertised;
  return `<sip:${toHost(address)}:${port}${flow.transport === 'udp' ? '' : `;transport=${flow.transport}`}>`;
}

import type { PeerAddress } from '../resolve/peer-resolver.ts';
import type { TransportName } from '../transport/address.ts';

/** Where a trunk is that is written as `host` or `host:port`, an IPv6 address in brackets; null where it is not. */
export function trunkPeer(address: string, transport: TransportName | null): PeerAddress | null {
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(address) ?? [];
  return host === '' ? null : { host, port: port === undefined ? null : Number(port), transport };
}

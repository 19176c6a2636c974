import type { PeerAddress } from '../resolve/peer-resolver.ts';
import type { TransportName } from '../transport/address.ts';

/** Parses a trunk's address, `host` or `host:port` with an IPv6 address in brackets; null when it is malformed. */
export function trunkPeer(address: string, transport: TransportName | null): PeerAddress | null {
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(address) ?? [];
  return host === '' ? null : { host, port: port === undefined ? null : Number(port), transport };
}

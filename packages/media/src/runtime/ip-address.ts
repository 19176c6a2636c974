import { isIPv6, SocketAddress } from 'node:net';

/** Returns an IP address in the form that sockets report: IPv6 compressed and in lower case, IPv4-mapped as IPv4. */
export function normalizeAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const spelled = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(spelled)?.[1];
  return mapped ?? spelled;
}

/** Returns true for the unspecified address, which older session descriptions use for hold. @see RFC 3264 §8.4 */
export function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

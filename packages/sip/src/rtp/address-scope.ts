import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';

/** Where packets to an address can go. `unusable`: no single host (multicast, broadcast, reserved ranges). */
export type AddressScope = 'public' | 'private' | 'loopback' | 'link-local' | 'unspecified' | 'unusable';

function ranges(...subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits = '0'] = subnet.split('/');
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** The first that holds the address decides. @see RFC 6890 */
const scopes: readonly (readonly [AddressScope, BlockList])[] = [
  ['unspecified', ranges('0.0.0.0/32', '::/128')],
  ['loopback', ranges('127.0.0.0/8', '::1/128')],
  ['link-local', ranges('169.254.0.0/16', 'fe80::/10')],
  ['private', ranges('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7')],
  ['unusable', ranges('0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4', 'ff00::/8')],
];

/** Classifies an IP address; an IPv4 address inside an IPv6 one by the IPv4 address. */
export function scopeOf(address: string): AddressScope {
  const plain = normalizeAddress(address);
  const family = isIP(plain);
  if (family === 0) return 'unusable';
  const found = scopes.find(([, list]) => list.check(plain, family === 4 ? 'ipv4' : 'ipv6'));
  return found === undefined ? 'public' : found[0];
}

/** The one spelling of an IP address that sockets report: IPv6 compressed and in lower case, IPv4-mapped as IPv4. */
export function normalizeAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const spelled = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(spelled)?.[1];
  return mapped ?? spelled;
}

/** The address that stands for none: hold, in session descriptions of the old way. @see RFC 3264 §8.4 */
export function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

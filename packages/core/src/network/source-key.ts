import { isIPv6 } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the key by which limits count a source: an IPv4 address, or the /64 of an IPv6 address, because one customer
 * has a whole /64 (RFC 6177).
 */
export function sourceKey(address: string): string {
  const fourth = mapped.exec(address)?.[1];
  if (fourth !== undefined) return fourth;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    // An embedded IPv4 address takes two groups.
    const width = after.length + (tail.includes('.') ? 1 : 0);
    while (groups.length < 8 - width) groups.push('0');
    groups.push(...after);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The target lies inside the service's own network, where no customer may send it. */
export class RefusedTarget extends Error {
  readonly code = 'refused_target';
}

/** Whether an address is one of the public internet. IPv4 inside IPv6 is judged by the IPv4 address. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // `::a.b.c.d`, the form that IPv4-mapped addresses replaced, and that some systems still route (RFC 4291 §2.5.5.1).
  return !(
    parsed.kind() === 'ipv6' &&
    parsed
      .toByteArray()
      .slice(0, 12)
      .every((byte) => byte === 0)
  );
}

/** Throws `RefusedTarget` where the URL's host is an address, which is never looked up, and not a public one. */
export function checkLiteral(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refused(host);
}

/** Looks up all addresses of a name, as `lookup` of `node:dns` does. */
export type HostLookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Looks a name up for a connection, and refuses when any of its addresses is not public. The connection goes to the
 * very addresses that were judged: a name that resolves otherwise a moment later gains nothing.
 */
export function publicLookup(lookup: HostLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const inside = addresses.find(({ address }) => !isPublicAddress(address));
      if (inside !== undefined) return callback(refused(`${hostname} (${inside.address})`), '', 0);
      const first = addresses[0];
      if (options.all || first === undefined) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function refused(host: string): RefusedTarget {
  return new RefusedTarget(
    `${host} is not on the public internet. The host of this service can allow it: allowPrivateTargets.`,
  );
}

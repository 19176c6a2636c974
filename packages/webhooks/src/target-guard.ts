import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from '@va/core';

/** The address policy does not allow the target. The message is shown to tenants, so it does not name an address. */
export class RefusedTarget extends Error {
  readonly code = 'refused_target';
}

/** Throws `RefusedTarget` when the URL's host is an IP address, which is never looked up, that the policy does not allow. */
export function checkLiteral(url: URL, policy: AddressPolicy): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !policy.allows(host)) throw refused(host);
}

/** Looks up all addresses of a name, as `lookup` of `node:dns` does. */
export type HostLookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Which targets the service may contact. */
export interface TargetRules {
  /** URLs that are sent to whatever the policy says. */
  readonly allowsPrivate: (url: URL) => boolean;
  readonly addresses: AddressPolicy;
  readonly lookup: HostLookup;
}

/**
 * Looks a name up for a connection, and refuses when the policy does not allow one of its addresses. The connection uses
 * the checked addresses, so a name that resolves to another address a moment later gains nothing.
 */
export function guardedLookup(lookup: HostLookup, policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      if (addresses.some(({ address }) => !policy.allows(address, hostname))) return callback(refused(hostname), '', 0);
      const first = addresses[0];
      if (options.all || first === undefined) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function refused(host: string): RefusedTarget {
  return new RefusedTarget(`${host} is not a target that this service may contact.`);
}

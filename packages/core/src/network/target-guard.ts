import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Clock } from '../ports/clock.ts';
import type { AddressPolicy } from './address-policy.ts';
import { type AskAddresses, HostResolver } from './host-resolver.ts';

/** The address policy does not allow the target. The message is shown to tenants, so it does not name an address. */
export class RefusedTarget extends Error {
  readonly code = 'refused_target';
}

/**
 * Throws `RefusedTarget` if the URL's host is an IP address that the policy does not allow. Sockets look up names only,
 * so `connectionLookup` does not check such a host.
 */
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

/**
 * Creates the `lookup` of connections. It checks the addresses that the connection will use, so that a DNS change after
 * an earlier check (DNS rebinding) cannot bypass the policy. A null policy allows any address.
 */
export function connectionLookup(resolver: HostResolver, policy: AddressPolicy | null): LookupFunction {
  return (hostname, options, callback) => {
    resolver.lookup(hostname, { orgId: connectionOwner }).then(
      (addresses) => {
        if (policy !== null && addresses.some(({ address }) => !policy.allows(address, hostname))) {
          return callback(refused(hostname), '', 0);
        }
        const first = addresses[0];
        if (options.all || first === undefined) return callback(null, [...addresses]);
        return callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

/** Owner of lookups whose cached addresses expired between the check and the connection. */
const connectionOwner = 'connections';

/** Throws `RefusedTarget` when the policy does not allow one of the addresses of a name. */
export function checkAddresses(host: string, addresses: readonly LookupAddress[], policy: AddressPolicy): void {
  if (addresses.some(({ address }) => !policy.allows(address, host))) throw refused(host);
}

/** Adapts a lookup in the style of `node:dns`, which reports no time to live. */
export function askWith(lookup: HostLookup): AskAddresses {
  return (name) =>
    new Promise((resolve, reject) => {
      lookup(name, { all: true }, (error, addresses) => {
        if (error !== null) reject(error);
        else resolve(addresses.map((address) => ({ ...address, ttlSeconds: 0 })));
      });
    });
}

/** Options of a `TargetGuard`. */
export interface TargetGuardOptions {
  readonly clock: Clock;
  readonly addresses: AddressPolicy;
  /** Replaces the DNS client of the machine. */
  readonly resolver?: HostResolver;
}

/**
 * Guards the URLs that tenants choose: `check` looks a host up and compares its addresses with the policy, and
 * connections made with `lookup` use only such addresses.
 *
 * @example const agent = new Agent({ connect: { lookup: guard.lookup } }); await guard.check(new URL(url), orgId);
 */
export class TargetGuard {
  readonly #addresses: AddressPolicy;
  readonly #resolver: HostResolver;
  /** `lookup` of connections to checked targets. */
  readonly lookup: LookupFunction;
  /** `lookup` of connections to targets of the host, which may have any address. */
  readonly openLookup: LookupFunction;

  constructor({ clock, addresses, resolver = new HostResolver({ clock }) }: TargetGuardOptions) {
    this.#addresses = addresses;
    this.#resolver = resolver;
    this.lookup = connectionLookup(resolver, addresses);
    this.openLookup = connectionLookup(resolver, null);
  }

  /** @throws RefusedTarget; VaError `lookup_…` if the host cannot be looked up */
  async check(url: URL, orgId: string, signal?: AbortSignal): Promise<void> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new RefusedTarget('The URL must begin with https:// or http://.');
    }
    checkLiteral(url, this.#addresses);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    checkAddresses(host, await this.#resolver.lookup(host, { orgId, signal }), this.#addresses);
  }
}

function refused(host: string): RefusedTarget {
  return new RefusedTarget(`${host} is not a target that this service may contact.`);
}

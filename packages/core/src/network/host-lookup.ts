import type { LookupFunction } from 'node:net';
import { systemClock } from '../clock/system-clock.ts';
import { type AskAddresses, HostResolver } from './host-resolver.ts';

/** Options of `createHostLookup`. */
export interface HostLookupOptions {
  /** Name servers as `address` or `address:port`; by default those of the machine. */
  readonly servers?: readonly string[] | undefined;
  /** Replaces the DNS and the hosts file. */
  readonly ask?: AskAddresses | undefined;
  /** Limit of one lookup. 5,000 by default. */
  readonly timeoutMs?: number | undefined;
}

/** All lookups are the host's own, so one limit holds for all of them. */
const owner = 'host';

/**
 * Creates a `lookup` for sockets that asks the DNS with a client of its own (c-ares), cached and with a time limit.
 * `getaddrinfo`, the default of Node.js, runs in libuv's thread pool: a few silent name servers hold up every other
 * lookup and the file system there.
 *
 * @example const socket = connect({ host: 'api.example.com', port: 443, lookup: createHostLookup() });
 */
export function createHostLookup(options: HostLookupOptions = {}): LookupFunction {
  const resolver = new HostResolver({ clock: systemClock, ...options, maxPerOrganization: Number.POSITIVE_INFINITY });
  return (hostname, { all, family }, callback) => {
    const wanted = family === 'IPv4' || family === 4 ? 4 : family === 'IPv6' || family === 6 ? 6 : 0;
    resolver.lookup(hostname, { orgId: owner }).then(
      (found) => {
        const fitting = found.filter((each) => wanted === 0 || each.family === wanted);
        const [first] = fitting;
        if (first === undefined) callback(new Error(`${hostname} has no address of that family.`), '', 0);
        else if (all) callback(null, fitting);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

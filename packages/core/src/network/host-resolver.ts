import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { toError, VaError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { HostsFile } from './hosts-file.ts';

/** An address and how long it may be used. */
export interface ResolvedAddress extends LookupAddress {
  readonly ttlSeconds: number;
}

/** Asks the DNS for all addresses of a name. Rejects when there is none. `signal` aborts when nobody waits. */
export type AskAddresses = (name: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>;

/** Options of a `HostResolver`. */
export interface HostResolverOptions {
  readonly clock: Clock;
  /** Name servers as `address` or `address:port`; by default those of the machine. */
  readonly servers?: readonly string[] | undefined;
  /** Replaces the DNS and the hosts file. */
  readonly ask?: AskAddresses | undefined;
  /** Limit of one lookup. 5,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Maximum concurrent lookups of one organization; 10 by default. */
  readonly maxPerOrganization?: number | undefined;
  /** Maximum concurrent lookups; 200 by default. */
  readonly maxInAll?: number | undefined;
}

/** A request for a lookup. */
export interface LookupRequest {
  /** Organization whose limit applies to the lookup. */
  readonly orgId: string;
  /** Ends the wait, and the lookup if nobody else waits for it. */
  readonly signal?: AbortSignal | undefined;
}

/** A lookup under way. */
interface Lookup {
  readonly orgId: string;
  readonly result: Promise<readonly LookupAddress[]>;
  readonly cancel: () => void;
  waiters: number;
}

type Cached = { readonly untilMs: number } & (
  | { readonly addresses: readonly LookupAddress[] }
  | { readonly error: VaError }
);

const shortestLifeMs = 1_000;
const longestLifeMs = 300_000;
/** Time for which a failed lookup is cached. */
const negativeLifeMs = 5_000;
const maxEntries = 2_000;

/**
 * Looks host names up with its own DNS client (c-ares), a cache and limits, so that the silent name servers of one
 * organization neither hold up others nor occupy libuv's thread pool. The machine's hosts file counts first; search
 * domains and other sources of the operating system are not used.
 */
export class HostResolver {
  readonly #clock: Clock;
  readonly #ask: AskAddresses;
  readonly #timeoutMs: number;
  readonly #maxPerOrganization: number;
  readonly #maxInAll: number;
  readonly #cache = new Map<string, Cached>();
  readonly #lookups = new Map<string, Lookup>();

  constructor(options: HostResolverOptions) {
    const { clock, servers, timeoutMs = 5_000, maxPerOrganization = 10, maxInAll = 200 } = options;
    this.#clock = clock;
    this.#ask = options.ask ?? systemAsk(clock, servers);
    this.#timeoutMs = timeoutMs;
    this.#maxPerOrganization = maxPerOrganization;
    this.#maxInAll = maxInAll;
  }

  /** @throws VaError `lookup_failed`, `lookup_timeout`, `lookup_limit`, `lookup_aborted` */
  async lookup(host: string, { orgId, signal }: LookupRequest): Promise<readonly LookupAddress[]> {
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    const name = host.toLowerCase().replace(/\.$/, '');
    const cached = this.cached(name);
    if (cached !== null) return cached;
    if (signal?.aborted === true) throw aborted(name);
    const lookup = this.#lookups.get(name) ?? this.#begin(name, orgId);
    return await this.#wait(name, lookup, signal);
  }

  /**
   * Returns the cached addresses of a name; null if it is not in the cache.
   * @throws VaError the error of a failed lookup that is in the cache
   */
  cached(host: string): readonly LookupAddress[] | null {
    const name = host.toLowerCase().replace(/\.$/, '');
    const entry = this.#cache.get(name);
    if (entry === undefined || entry.untilMs <= this.#clock.nowMs()) return null;
    if ('error' in entry) throw entry.error;
    return entry.addresses;
  }

  #begin(name: string, orgId: string): Lookup {
    const own = [...this.#lookups.values()].filter((lookup) => lookup.orgId === orgId).length;
    if (own >= this.#maxPerOrganization || this.#lookups.size >= this.#maxInAll) {
      throw new VaError('lookup_limit', `Too many DNS lookups are pending; ${name} was not looked up.`);
    }
    const controller = new AbortController();
    const forget = (): void => {
      if (this.#lookups.get(name) === lookup) this.#lookups.delete(name);
    };
    const cancel = (): void => {
      // A request that arrives before the aborted lookup has settled must not wait for it.
      forget();
      controller.abort();
    };
    const result = this.#run(name, controller).finally(forget);
    // Prevents an unhandled rejection when nobody waits any more.
    result.catch(() => {});
    const lookup: Lookup = { orgId, result, cancel, waiters: 0 };
    this.#lookups.set(name, lookup);
    return lookup;
  }

  async #run(name: string, controller: AbortController): Promise<readonly LookupAddress[]> {
    let isLate = false;
    const timer = this.#clock.setTimer(this.#timeoutMs, () => {
      isLate = true;
      controller.abort();
    });
    try {
      const found = await untilAborted(this.#ask(name, controller.signal), controller.signal);
      const addresses = found.map(({ address, family }) => ({ address, family }));
      const ttlMs = Math.min(...found.map(({ ttlSeconds }) => ttlSeconds)) * 1_000;
      this.#keep(name, { addresses, untilMs: this.#untilMs(Math.min(longestLifeMs, Math.max(shortestLifeMs, ttlMs))) });
      return addresses;
    } catch (thrown) {
      if (controller.signal.aborted && !isLate) throw aborted(name);
      const error = isLate
        ? new VaError('lookup_timeout', `The name servers of ${name} did not answer in ${this.#timeoutMs} ms.`)
        : new VaError('lookup_failed', `${name} could not be looked up: ${codeOf(thrown)}`, { cause: thrown });
      this.#keep(name, { error, untilMs: this.#untilMs(negativeLifeMs) });
      throw error;
    } finally {
      timer.cancel();
    }
  }

  async #wait(name: string, lookup: Lookup, signal: AbortSignal | undefined): Promise<readonly LookupAddress[]> {
    lookup.waiters += 1;
    let isWaiting = true;
    const leave = (): void => {
      if (!isWaiting) return;
      isWaiting = false;
      lookup.waiters -= 1;
      if (lookup.waiters === 0) lookup.cancel();
    };
    if (signal === undefined) return await lookup.result;
    let onAbort = (): void => {};
    const over = new Promise<never>((_, reject) => {
      onAbort = () => {
        leave();
        reject(aborted(name));
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
    over.catch(() => {});
    try {
      return await Promise.race([lookup.result, over]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #untilMs(lifeMs: number): number {
    return this.#clock.nowMs() + lifeMs;
  }

  #keep(name: string, entry: Cached): void {
    this.#cache.delete(name);
    this.#cache.set(name, entry);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > maxEntries && oldest !== undefined) this.#cache.delete(oldest);
  }
}

/** Returns a lookup in the hosts file, then the DNS, as `getaddrinfo` does; with `servers`, in their DNS only. */
function systemAsk(clock: Clock, servers: readonly string[] | undefined): AskAddresses {
  const hosts = new HostsFile(clock);
  return async (name, signal) => {
    const local = servers === undefined ? hosts.addressesOf(name) : [];
    if (local.length > 0) return local.map((address) => ({ address, family: isIP(address), ttlSeconds: 5 }));
    // A resolver of its own, so that this lookup alone can be cancelled.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel(), { once: true });
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(name, { ttl: true }),
      resolver.resolve6(name, { ttl: true }),
    ]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((each) => toResolved(each, 4)) : []),
      ...(six.status === 'fulfilled' ? six.value.map((each) => toResolved(each, 6)) : []),
    ];
    if (found.length > 0) return found;
    throw four.status === 'rejected' ? four.reason : new Error('ENODATA');
  };
}

function toResolved({ address, ttl }: { address: string; ttl: number }, family: number): ResolvedAddress {
  return { address, family, ttlSeconds: ttl };
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {});
  return await Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('ECANCELLED')), { once: true });
    }),
  ]);
}

function aborted(name: string): VaError {
  return new VaError('lookup_aborted', `${name} is no longer looked up.`);
}

function codeOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : toError(thrown).message;
}

import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type DnsAnswer, HostsFile, systemClock } from '@va/core';

/** A pointer from a domain to one of its services. @see RFC 3403 §4.1 */
export interface NaptrRecord {
  readonly order: number;
  readonly preference: number;
  /** `s` where the replacement is the name of SRV records. */
  readonly flags: string;
  /** Such as `SIP+D2U`. */
  readonly service: string;
  readonly replacement: string;
}

/** Where a service runs. @see RFC 2782 */
export interface SrvRecord {
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  /** A name without a dot at the end; empty where the service is decidedly not offered. */
  readonly target: string;
}

export interface AddressRecord {
  readonly address: string;
  readonly ttlSeconds: number;
}

/** The lookups that RFC 3263 needs. They never reject. */
export interface SipDns {
  lookUpNaptr(name: string): Promise<DnsAnswer<NaptrRecord>>;
  lookUpSrv(name: string): Promise<DnsAnswer<SrvRecord>>;
  lookUpAddresses(name: string, family: 4 | 6): Promise<DnsAnswer<AddressRecord>>;
}

export interface SystemSipDnsOptions {
  /** `address` or `address:port` of the servers to ask; those of the machine by default. */
  readonly servers?: readonly string[] | undefined;
  /** For the first try; each further one waits longer. 2,000 by default. */
  readonly timeoutMs?: number | undefined;
}

const defaultTimeoutMs = 2_000;
const tries = 2;
/** Of what the machine's hosts file says, which tells no time to live. */
const hostsTtlSeconds = 30;
/** NXDOMAIN, and a name without records of the type. Anything else that goes wrong is no answer. */
const absentCodes: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * The DNS over Node's own resolver (c-ares). The machine's hosts file has the addresses that it does not know.
 */
export function systemSipDns({ servers, timeoutMs = defaultTimeoutMs }: SystemSipDnsOptions = {}): SipDns {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  const hosts = new HostsFile(systemClock);
  if (servers !== undefined) resolver.setServers(servers);
  const ask = async (name: string, family: 4 | 6): Promise<AddressRecord[]> => {
    const records = await (family === 4
      ? resolver.resolve4(name, { ttl: true })
      : resolver.resolve6(name, { ttl: true }));
    return records.map(({ address, ttl }) => ({ address, ttlSeconds: ttl }));
  };
  return {
    lookUpNaptr: (name) => answerOf(resolver.resolveNaptr(name)),
    lookUpSrv: (name) =>
      answerOf(
        resolver
          .resolveSrv(name)
          .then((records) => records.map(({ name: target, ...record }) => ({ ...record, target }))),
      ),
    async lookUpAddresses(name, family) {
      const answer = await answerOf(ask(name, family));
      if (answer.status === 'found' || servers !== undefined) return answer;
      const local = hosts.addressesOf(name).filter((address) => isIP(address) === family);
      if (local.length === 0) return answer;
      return { status: 'found', records: local.map((address) => ({ address, ttlSeconds: hostsTtlSeconds })) };
    },
  };
}

async function answerOf<T>(asked: Promise<readonly T[]>): Promise<DnsAnswer<T>> {
  try {
    const records = await asked;
    return records.length === 0 ? { status: 'absent' } : { status: 'found', records };
  } catch (thrown) {
    const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : thrown;
    return absentCodes.has(code) ? { status: 'absent' } : { status: 'unanswered', reason: String(code) };
  }
}

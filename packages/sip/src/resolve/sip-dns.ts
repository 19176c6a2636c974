import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type DnsAnswer, HostsFile, systemClock } from '@va/core/adapter';

/** A NAPTR record: a pointer from a domain to one of its services. @see RFC 3403 §4.1 */
export interface NaptrRecord {
  readonly order: number;
  readonly preference: number;
  /** `s` if the replacement is the name of SRV records. */
  readonly flags: string;
  /** Such as `SIP+D2U`. */
  readonly service: string;
  readonly replacement: string;
}

/** An SRV record: host and port of a service. @see RFC 2782 */
export interface SrvRecord {
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  /** Host name without a trailing dot; empty if the service is explicitly not offered. */
  readonly target: string;
}

/** An A or AAAA record. */
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

/** Options of {@link systemSipDns}. */
export interface SystemSipDnsOptions {
  /** `address` or `address:port` of the DNS servers. Default: those of the machine. */
  readonly servers?: readonly string[] | undefined;
  /** Timeout of the first attempt in milliseconds; later attempts wait longer. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
}

const defaultTimeoutMs = 2_000;
const tries = 2;
/** TTL of addresses from the machine's hosts file, which states none. */
const hostsTtlSeconds = 30;
/** NXDOMAIN, or a name without records of the type. Any other error means that the DNS did not respond. */
const absentCodes: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Creates DNS lookups through Node's resolver (c-ares). Without `servers`, the machine's hosts file is the fallback for
 * addresses.
 */
export function systemSipDns({ servers, timeoutMs = defaultTimeoutMs }: SystemSipDnsOptions = {}): SipDns {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  const hosts = new HostsFile(systemClock);
  if (servers !== undefined) resolver.setServers(servers);
  const resolveAddresses = async (name: string, family: 4 | 6): Promise<AddressRecord[]> => {
    const records = await (family === 4
      ? resolver.resolve4(name, { ttl: true })
      : resolver.resolve6(name, { ttl: true }));
    return records.map(({ address, ttl }) => ({ address, ttlSeconds: ttl }));
  };
  return {
    lookUpNaptr: (name) => toDnsAnswer(resolver.resolveNaptr(name)),
    lookUpSrv: (name) =>
      toDnsAnswer(
        resolver
          .resolveSrv(name)
          .then((records) => records.map(({ name: target, ...record }) => ({ ...record, target }))),
      ),
    async lookUpAddresses(name, family) {
      const answer = await toDnsAnswer(resolveAddresses(name, family));
      if (answer.status === 'found' || servers !== undefined) return answer;
      const local = hosts.addressesOf(name).filter((address) => isIP(address) === family);
      if (local.length === 0) return answer;
      return { status: 'found', records: local.map((address) => ({ address, ttlSeconds: hostsTtlSeconds })) };
    },
  };
}

async function toDnsAnswer<T>(lookup: Promise<readonly T[]>): Promise<DnsAnswer<T>> {
  try {
    const records = await lookup;
    return records.length === 0 ? { status: 'absent' } : { status: 'found', records };
  } catch (thrown) {
    const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : thrown;
    return absentCodes.has(code) ? { status: 'absent' } : { status: 'unanswered', reason: String(code) };
  }
}

import { Resolver } from 'node:dns/promises';
import type { DnsAnswer, DnsResolver } from '../ports/mail/dns.ts';

/** Options of `systemDns`. */
export interface SystemDnsOptions {
  /** Name servers as `address` or `address:port`; by default those of the machine. */
  readonly servers?: readonly string[];
  /** Timeout of the first attempt; each further one is longer. 2,000 by default. */
  readonly timeoutMs?: number;
  /** Attempts per server; 2 by default. */
  readonly tries?: number;
}

/** NXDOMAIN and NODATA are answers; other errors are not. */
const absentCodes: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Creates a DNS resolver on Node's own client (c-ares), which ignores the machine's hosts file.
 *
 * @example createVoiceAgents({ mail: { dns: systemDns({ servers: ['9.9.9.9'] }) }, … })
 */
export function systemDns({ servers, timeoutMs = 2_000, tries = 2 }: SystemDnsOptions = {}): DnsResolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers(servers);
  return {
    lookUpTxt: (name) => answerOf(resolver.resolveTxt(name).then((records) => records.map((parts) => parts.join('')))),
    lookUpMx: (name) => answerOf(resolver.resolveMx(name)),
    lookUpCname: (name) => answerOf(resolver.resolveCname(name)),
  };
}

async function answerOf<T>(lookup: Promise<readonly T[]>): Promise<DnsAnswer<T>> {
  try {
    const records = await lookup;
    return records.length === 0 ? { status: 'absent' } : { status: 'found', records };
  } catch (thrown) {
    const code = codeOf(thrown);
    return absentCodes.has(code) ? { status: 'absent' } : { status: 'unanswered', reason: String(code) };
  }
}

function codeOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : thrown;
}

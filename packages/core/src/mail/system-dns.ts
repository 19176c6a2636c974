import { Resolver } from 'node:dns/promises';
import type { DnsAnswer, DnsResolver } from '../ports/mail/dns.ts';

export interface SystemDnsOptions {
  /** `address` or `address:port` of the servers to ask; those of the machine by default. */
  readonly servers?: readonly string[];
  /** For the first try; each further one waits longer. 2,000 by default. */
  readonly timeoutMs?: number;
  /** How often a server is asked; 2 by default. */
  readonly tries?: number;
}

/** NXDOMAIN, and a name without records of the type. Anything else that goes wrong is no answer. */
const absentCodes: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** The DNS over node's own resolver (c-ares), which asks the servers and not the machine's hosts file. */
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

import type { DnsRecord } from '../domain/accounts/mail-domain.ts';
import type { DnsAnswer, DnsResolver } from '../ports/mail/dns.ts';
import { recordNames } from './record-names.ts';
import { txtMatches } from './txt-match.ts';

/** Status of a record by the DNS; `unknown` if the DNS has no answer, or only the provider can decide. */
type Finding = 'published' | 'missing' | 'unknown';

/**
 * Checks the records of a domain in the DNS: `verified` if published, `failed` if missing or different. If the DNS does
 * not respond, a record keeps the status from the provider.
 */
export async function checkRecords(
  domain: string,
  records: readonly DnsRecord[],
  dns: DnsResolver,
): Promise<DnsRecord[]> {
  return await Promise.all(
    records.map(async (record) => {
      const finding = await find(domain, record, dns);
      if (finding === 'unknown') return record;
      return { ...record, status: finding === 'published' ? 'verified' : 'failed' };
    }),
  );
}

async function find(domain: string, record: DnsRecord, dns: DnsResolver): Promise<Finding> {
  const names = recordNames(record.name, domain);
  const findings = await Promise.all(names.map((name) => findAt(name, record, dns)));
  if (findings.includes('published')) return 'published';
  return findings.includes('unknown') ? 'unknown' : 'missing';
}

async function findAt(name: string, { type, value, priority }: DnsRecord, dns: DnsResolver): Promise<Finding> {
  switch (type.toUpperCase()) {
    case 'TXT':
      return judge(await dns.lookUpTxt(name), (texts) => found(txtMatches(value, texts)));
    case 'CNAME':
      return judge(await dns.lookUpCname(name), (targets) => found(targets.some((target) => sameHost(target, value))));
    case 'MX':
      return judge(await dns.lookUpMx(name), (exchanges) => {
        const ours = exchanges.filter(({ exchange }) => sameHost(exchange, value));
        if (ours.length === 0 || priority === null || ours.some((mx) => mx.priority === priority)) {
          return found(ours.length > 0);
        }
        // Some providers accept another priority than the one they propose.
        return 'unknown';
      });
    default:
      return 'unknown';
  }
}

function judge<T>(answer: DnsAnswer<T>, judgeFound: (records: readonly T[]) => Finding): Finding {
  if (answer.status === 'found') return judgeFound(answer.records);
  return answer.status === 'absent' ? 'missing' : 'unknown';
}

function found(published: boolean): Finding {
  return published ? 'published' : 'missing';
}

function sameHost(one: string, other: string): boolean {
  return hostOf(one) === hostOf(other);
}

function hostOf(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, '');
}

import { DnsServer } from '@va/test-servers/mail-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DnsRecord, MailDomainStatus } from '../../src/domain/accounts/mail-domain.ts';
import { checkRecords } from '../../src/mail/check-records.ts';
import { systemDns } from '../../src/node/system-dns.ts';

let server: DnsServer;
beforeEach(async () => {
  server = await DnsServer.start();
});
afterEach(() => server.close());

function record(type: string, name: string, value: string, more: Partial<DnsRecord> = {}): DnsRecord {
  return { record: 'DKIM', name, type, ttl: 'Auto', value, priority: null, status: 'pending', ...more };
}

async function status(domain: string, asked: DnsRecord): Promise<MailDomainStatus | undefined> {
  const dns = systemDns({ servers: [server.address], timeoutMs: 1_000, tries: 1 });
  return (await checkRecords(domain, [asked], dns))[0]?.status;
}

describe('checking a DNS record', () => {
  it.each([
    ['resend._domainkey', 'example.com', 'resend._domainkey.example.com'],
    ['resend._domainkey.news', 'news.example.com', 'resend._domainkey.news.example.com'],
    ['resend._domainkey', 'news.example.com', 'resend._domainkey.news.example.com'],
    ['send', 'send.example.com', 'send.send.example.com'],
  ])('finds %s of the domain %s at %s', async (name, domain, at) => {
    server.publish(at, { type: 'TXT', texts: ['p=AAAA'] });
    expect(await status(domain, record('TXT', name, 'p=AAAA'))).toBe('verified');
  });

  it('fails a record that is missing or different', async () => {
    expect(await status('example.com', record('TXT', 'key', 'p=AAAA'))).toBe('failed');
    server.publish('key.example.com', { type: 'TXT', texts: ['p=BBBB'] });
    expect(await status('example.com', record('TXT', 'key', 'p=AAAA', { status: 'verified' }))).toBe('failed');
    expect(await status('example.com', record('MX', 'key', 'mx.example.net'))).toBe('failed');
    expect(await status('example.com', record('CNAME', 'key', 'target.example.net'))).toBe('failed');
  });

  it.each(['not_started', 'pending', 'verified', 'failed'] as const)(
    'keeps the provider’s status (%s) when the DNS does not respond',
    async (said) => {
      server.publish('key.example.com', { type: 'TXT', texts: ['p=AAAA'] });
      server.fail('key.example.com', 'SERVFAIL');
      expect(await status('example.com', record('TXT', 'key', 'p=AAAA', { status: said }))).toBe(said);
    },
  );

  it('keeps the provider’s status when only some of the possible names could be looked up', async () => {
    server.fail('send.send.example.com', 'silent');
    expect(await status('send.example.com', record('TXT', 'send', 'p=AAAA'))).toBe('pending');
  });

  it('compares a CNAME target case-insensitively and ignores its trailing dot', async () => {
    server.publish('a._domainkey.example.com', { type: 'CNAME', target: 'A.dkim.Example.net' });
    expect(await status('example.com', record('CNAME', 'a._domainkey', 'a.dkim.example.net.'))).toBe('verified');
    expect(await status('example.com', record('cname', 'a._domainkey', 'b.dkim.example.net.'))).toBe('failed');
  });

  it('verifies an MX record with its priority, and keeps the provider’s status for another priority', async () => {
    const exchanges = [
      { exchange: 'other.example.net', priority: 10 },
      { exchange: 'Feedback.example.net', priority: 20 },
    ];
    server.publish('send.example.com', { type: 'MX', exchanges });
    const asked = (priority: number | null, said: MailDomainStatus = 'pending'): DnsRecord =>
      record('MX', 'send', 'feedback.example.net', { priority, status: said });
    expect(await status('example.com', asked(20))).toBe('verified');
    expect(await status('example.com', asked(null))).toBe('verified');
    expect(await status('example.com', asked(10))).toBe('pending');
    expect(await status('example.com', asked(10, 'verified'))).toBe('verified');
    expect(await status('example.com', record('MX', 'send', 'absent.example.net', { priority: 10 }))).toBe('failed');
  });

  it('keeps the provider’s status of a record type that is not looked up', async () => {
    expect(await status('example.com', record('CAA', '@', '0 issue "ca.example.net"'))).toBe('pending');
    expect(server.questions).toEqual([]);
  });
});

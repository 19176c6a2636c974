import { DnsServer } from '@va/test-servers/mail-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDns } from '../../src/node/system-dns.ts';
import type { DnsResolver } from '../../src/ports/mail/dns.ts';

let server: DnsServer;
let dns: DnsResolver;
/** For lookups that the server does not respond to. */
let impatient: DnsResolver;
beforeAll(async () => {
  server = await DnsServer.start();
  dns = systemDns({ servers: [server.address], timeoutMs: 30_000, tries: 1 });
  impatient = systemDns({ servers: [server.address], timeoutMs: 300, tries: 1 });
});
afterAll(() => server.close());

describe('systemDns', () => {
  it('joins the character strings of a TXT record', async () => {
    const long = `p=${'A'.repeat(700)}`;
    server.publish('long.example.com', { type: 'TXT', texts: ['short', long] });
    expect(await dns.lookUpTxt('long.example.com')).toEqual({ status: 'found', records: ['short', long] });
  });

  it('returns MX records with their priorities', async () => {
    const exchanges = [
      { exchange: 'mx1.example.net', priority: 10 },
      { exchange: 'mx2.example.net', priority: 20 },
    ];
    server.publish('mx.example.com', { type: 'MX', exchanges });
    const answer = await dns.lookUpMx('mx.example.com');
    expect(answer).toEqual({ status: 'found', records: expect.arrayContaining(exchanges) });
  });

  it('returns CNAME targets and follows them', async () => {
    server.publish('alias.example.com', { type: 'CNAME', target: 'target.example.net' });
    server.publish('target.example.net', { type: 'TXT', texts: ['behind the alias'] });
    expect(await dns.lookUpCname('alias.example.com')).toEqual({ status: 'found', records: ['target.example.net'] });
    expect(await dns.lookUpTxt('alias.example.com')).toEqual({ status: 'found', records: ['behind the alias'] });
  });

  it('reports absent names and record types', async () => {
    expect(await dns.lookUpTxt('nowhere.example.com')).toEqual({ status: 'absent' });
    server.publish('only-mx.example.com', { type: 'MX', exchanges: [{ exchange: 'mx.example.net', priority: 1 }] });
    expect(await dns.lookUpTxt('only-mx.example.com')).toEqual({ status: 'absent' });
  });

  it.each(['SERVFAIL', 'REFUSED', 'FORMERR', 'silent', 'garbage'] as const)(
    'reports records as unanswered, not absent, when the server fails (%s)',
    async (fault) => {
      server.publish('broken.example.com', { type: 'TXT', texts: ['hidden'] });
      server.fail('broken.example.com', fault);
      expect(await impatient.lookUpTxt('broken.example.com')).toMatchObject({ status: 'unanswered' });
      server.fail('broken.example.com', null);
      expect(await dns.lookUpTxt('broken.example.com')).toEqual({ status: 'found', records: ['hidden'] });
    },
  );

  it('reports records as unanswered when the server is down, and never finds an invalid name', async () => {
    const deaf = systemDns({ servers: ['127.0.0.1:9'], timeoutMs: 150, tries: 1 });
    expect(await deaf.lookUpMx('example.com')).toMatchObject({ status: 'unanswered' });
    expect((await dns.lookUpTxt(`${'a'.repeat(300)}.example.com`)).status).not.toBe('found');
  });
});

import { resend } from '@va/mail/resend';
import { memory } from '@va/storage/memory';
import { DnsServer, ResendServer } from '@va/test-servers/mail-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mailDomainSchema } from '../../../src/domain/accounts/mail-domain.ts';
import { systemDns } from '../../../src/node/system-dns.ts';
import type { MailDomainOperations } from '../../../src/operations/accounts/mail-domains.ts';
import type { OperationsDependencies } from '../../../src/operations/operations.ts';
import type { MailProvider } from '../../../src/ports/mail/mail-provider.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations } from '../support.ts';

let provider: ResendServer;
let nameServer: DnsServer;
let storage: Storage;
let mail: MailProvider;
let domains: MailDomainOperations;
beforeEach(async () => {
  provider = await ResendServer.start();
  nameServer = await DnsServer.start();
  storage = memory();
  mail = resend({ apiKey: 're_test', baseUrl: provider.url, timeoutMs: 2_000 });
  domains = operations({ mail });
});
afterEach(async () => {
  await provider.close();
  await nameServer.close();
});

function operations(
  parts: { mail?: MailProvider; mayUseDomain?: OperationsDependencies['mayUseDomain'] } = {},
): MailDomainOperations {
  const dns = systemDns({ servers: [nameServer.address], timeoutMs: 1_000, tries: 1 });
  return testOperations({ ...parts, dns, storage }).operations.mailDomains;
}

/** Publishes the DNS records that the provider requires, except the record at index `without`. */
function publish(name: string, without?: number): void {
  const domain = provider.domains.find((each) => each.name === name);
  for (const [at, record] of domain?.records.entries() ?? []) {
    if (at === without) continue;
    const host = `${record.name}.example.com`;
    if (record.type === 'TXT') nameServer.publish(host, { type: 'TXT', texts: [record.value] });
    else nameServer.publish(host, { type: 'MX', exchanges: [{ exchange: record.value, priority: 10 }] });
  }
}

const example = { domain_name: 'news.example.com' };

// Security: any tenant could list the host's own domains and send mail from them.
describe('domains of the host’s provider account', () => {
  const makeOrganizations = async (...ids: string[]): Promise<void> => {
    const { organizations } = testOperations({ storage }).operations;
    for (const id of ids) await organizations.create({ id, name: 'Acme' });
  };

  it('are hidden from organizations of a multi-tenant deployment and cannot be selected', async () => {
    await makeOrganizations(orgId, otherOrgId);
    const { id } = provider.create('voiceplatform.example', 'eu-west-1');
    expect((await domains.available(orgId)).domains).toEqual([]);
    expect(faultsOf(await refusal(domains.select(orgId, { domain_id: id })))).toEqual(['domain_id invalid_reference']);
  });

  it('are available to the organizations that the host allows', async () => {
    await makeOrganizations(orgId, otherOrgId);
    const { id } = provider.create('a.example', 'eu-west-1');
    const mayUseDomain = (organization: string, name: string): boolean =>
      organization === orgId && name === 'a.example';
    domains = operations({ mail, mayUseDomain });
    expect((await domains.available(otherOrgId)).domains).toEqual([]);
    expect((await domains.available(orgId)).domains).toMatchObject([{ name: 'a.example' }]);
    expect(await domains.select(orgId, { domain_id: id })).toMatchObject({ domain_name: 'a.example' });
  });
});

describe('adding a domain', () => {
  it('adds it at the provider and returns the DNS records to publish', async () => {
    expect(await domains.get(orgId)).toBeNull();
    const domain = await domains.add(orgId, { domain_name: ' News.Example.COM ' });
    expect(mailDomainSchema.parse(domain)).toEqual(domain);
    expect(domain).toMatchObject({
      org_id: orgId,
      domain_name: 'news.example.com',
      provider: 'resend',
      provider_domain_id: provider.domains[0]?.id,
      status: 'not_started',
      region: 'us-east-1',
      verified_at: null,
    });
    expect(domain.records).toHaveLength(3);
    expect(await domains.get(orgId)).toEqual(domain);
    expect(await domains.get(otherOrgId)).toBeNull();
  });

  it('is refused when the organization has a domain, or another organization has the same one', async () => {
    await domains.add(orgId, example);
    const second = await refusal(domains.add(orgId, { domain_name: 'example.org' }));
    expect(second).toMatchObject({ status: 409, code: 'domain_exists' });
    const taken = await refusal(domains.add(otherOrgId, example));
    expect(taken).toMatchObject({ status: 409, code: 'domain_exists' });
    expect(taken.message).not.toContain(orgId);
    expect(provider.domains.map(({ name }) => name)).toEqual(['news.example.com']);
  });

  it('succeeds once when several requests add a domain at the same time', async () => {
    const names = ['a.example.com', 'b.example.com', 'a.example.com', 'c.example.com'];
    const settled = await Promise.allSettled(names.map((domain_name) => domains.add(orgId, untyped({ domain_name }))));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    for (const error of refused) expect(error).toMatchObject({ status: 409, code: 'domain_exists' });
    expect(provider.domains).toHaveLength(1);
  });

  it.each(['localhost', 'exa mple.com', '-bad.example.com', 'example.com/x', 'http://example.com', 'münchen.de', 7])(
    'refuses the domain name %j',
    async (domain_name) => {
      expect(faultsOf(await refusal(domains.add(orgId, untyped({ domain_name }))))).toEqual([
        'domain_name invalid_field',
      ]);
      expect(provider.requests).toEqual([]);
    },
  );

  it('returns the provider’s objection to a name and stores nothing', async () => {
    provider.failNext(null, { status: 422, name: 'validation_error' });
    const refused = await refusal(domains.add(orgId, example));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_field' });
    expect(faultsOf(refused)).toEqual(['domain_name invalid_field']);
    expect(await domains.get(orgId)).toBeNull();
  });

  it('can be retried after a failure of the provider', async () => {
    provider.failNext(null, 'hang');
    expect(await refusal(domains.add(orgId, example))).toMatchObject({ status: 504, code: 'provider_timeout' });
    expect(await domains.get(orgId)).toBeNull();
    expect(await domains.add(orgId, example)).toMatchObject({ domain_name: 'news.example.com' });
  });

  it('refuses a domain that the provider account already has, so that deleting cannot remove it', async () => {
    const own = provider.create('news.example.com');
    const refused = await refusal(domains.add(orgId, example));
    expect([refused.status, refused.code]).toEqual([409, 'domain_exists']);
    expect(await domains.get(orgId)).toBeNull();
    await domains.select(orgId, { domain_id: own.id });
    await domains.delete(orgId);
    expect(provider.domains.map(({ name }) => name)).toEqual(['news.example.com']);
  });

  it('is completed by the next refresh when a crash interrupted it', async () => {
    await domains.add(orgId, example);
    const [record] = await storage.mailDomains.list(orgId, { limit: 1 });
    await storage.mailDomains.update(orgId, record?.id ?? '', { provider_domain_id: null, records: [] });
    const domain = await domains.refresh(orgId);
    expect(domain).toMatchObject({ provider_domain_id: provider.domains[0]?.id });
    expect(domain.records).toHaveLength(3);
    expect(provider.domains).toHaveLength(1);
  });
});

describe('verifying a domain', () => {
  beforeEach(() => domains.add(orgId, example));

  it('starts the provider’s check and sets the status of each record from the DNS', async () => {
    publish('news.example.com', 1);
    const domain = await domains.verify(orgId);
    expect(domain.status).toBe('pending');
    expect(domain.records.map(({ status }) => status)).toEqual(['verified', 'failed', 'verified']);
    expect(provider.requests.some(({ method, path }) => method === 'POST' && path.endsWith('/verify'))).toBe(true);
    expect(await domains.get(orgId)).toEqual(domain);
  });

  it('keeps the first verification time until the domain is no longer verified', async () => {
    publish('news.example.com');
    provider.settle('news.example.com', 'verified');
    const verified = await domains.verify(orgId);
    expect(verified).toMatchObject({ status: 'verified', verified_at: expect.any(String) });
    expect(await domains.refresh(orgId)).toMatchObject({ verified_at: verified.verified_at });
    provider.settle('news.example.com', 'failed');
    expect(await domains.refresh(orgId)).toMatchObject({ status: 'failed', verified_at: null });
  });

  it('leaves a record pending when the name server fails', async () => {
    nameServer.fail('send.news.example.com', 'SERVFAIL');
    nameServer.fail('resend._domainkey.news.example.com', 'silent');
    const domain = await domains.verify(orgId);
    expect(domain.records.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  });

  it('marks a domain as failed when the provider no longer has it', async () => {
    provider.domains.splice(0);
    const domain = await domains.verify(orgId);
    expect(domain).toMatchObject({ status: 'failed', verified_at: null });
    expect(domain.records.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect(await domains.refresh(orgId)).toMatchObject({ status: 'failed' });
  });

  it.each([
    [{ status: 500, name: 'internal_server_error' }, 502, 'provider_error'],
    [{ status: 403, name: 'invalid_api_key' }, 502, 'provider_error'],
    ['break', 502, 'provider_error'],
    ['hang', 504, 'provider_timeout'],
  ] as const)('maps the provider error %j to status %i and changes nothing', async (fault, status, code) => {
    const before = await domains.get(orgId);
    provider.failNext(fault);
    expect(await refusal(domains.verify(orgId))).toMatchObject({ status, code });
    expect(await domains.get(orgId)).toEqual(before);
  });
});

describe('refreshing a domain', () => {
  it('reads the state from the provider without a verification or a DNS lookup', async () => {
    await domains.add(orgId, example);
    publish('news.example.com');
    provider.settle('news.example.com', 'partially_verified', ['verified', 'temporary_failure', 'failed']);
    const asked = provider.requests.length;
    const domain = await domains.refresh(orgId);
    expect(domain.status).toBe('partially_verified');
    expect(domain.records.map(({ status }) => status)).toEqual(['verified', 'pending', 'failed']);
    expect(provider.requests.slice(asked).map(({ method }) => method)).toEqual(['GET']);
    expect(nameServer.questions).toEqual([]);
  });
});

describe('deleting a domain', () => {
  it('deletes it at the provider too, and returns 404 the second time', async () => {
    await domains.add(orgId, example);
    await domains.delete(orgId);
    expect(provider.domains).toEqual([]);
    expect(await domains.get(orgId)).toBeNull();
    expect(await refusal(domains.delete(orgId))).toMatchObject({ status: 404, code: 'domain_not_found' });
  });

  it('succeeds when the provider no longer has the domain', async () => {
    await domains.add(orgId, example);
    provider.domains.splice(0);
    await domains.delete(orgId);
    expect(await domains.get(orgId)).toBeNull();
  });

  it('fails while the provider fails, and can be retried', async () => {
    await domains.add(orgId, example);
    provider.failNext({ status: 500 });
    expect(await refusal(domains.delete(orgId))).toMatchObject({ status: 502 });
    expect(await domains.get(orgId)).not.toBeNull();
    await domains.delete(orgId);
    expect(provider.domains).toEqual([]);
  });

  it('finds the domain by name at the provider when adding it was interrupted', async () => {
    await domains.add(orgId, example);
    const [record] = await storage.mailDomains.list(orgId, { limit: 1 });
    await storage.mailDomains.update(orgId, record?.id ?? '', { provider_domain_id: null });
    await domains.delete(orgId);
    expect(provider.domains).toEqual([]);
  });
});

describe('domains of the provider account', () => {
  it('are available unless another organization has them', async () => {
    await domains.add(otherOrgId, example);
    const free = provider.create('free.example.com', 'eu-west-1');
    expect(await domains.available(orgId)).toEqual({
      domains: [{ id: free.id, name: 'free.example.com', status: 'not_started', region: 'eu-west-1' }],
      selected_domain_id: null,
    });
    const own = await domains.available(otherOrgId);
    expect(own.domains.map(({ name }) => name)).toEqual(['free.example.com', 'news.example.com']);
    expect(own.selected_domain_id).toBe(provider.domains[0]?.id);
  });

  it('are empty at first', async () => {
    expect(await domains.available(orgId)).toEqual({ domains: [], selected_domain_id: null });
  });

  it('can be selected, with their verification status', async () => {
    const free = provider.create('free.example.com');
    provider.settle('free.example.com', 'verified');
    const domain = await domains.select(orgId, untyped({ resendDomainId: free.id }));
    expect(domain).toMatchObject({
      org_id: orgId,
      domain_name: 'free.example.com',
      status: 'verified',
      verified_at: expect.any(String),
    });
    expect(await domains.get(orgId)).toEqual(domain);
  });

  it('replace the selected domain, which stays at the provider', async () => {
    const { provider_domain_id } = await domains.add(orgId, example);
    const free = provider.create('free.example.com');
    expect(await domains.select(orgId, { domain_id: free.id })).toMatchObject({ domain_name: 'free.example.com' });
    expect(provider.domains.map(({ name }) => name)).toEqual(['news.example.com', 'free.example.com']);
    const chosen = await domains.select(otherOrgId, { domain_id: provider_domain_id ?? '' });
    expect(chosen).toMatchObject({ domain_name: 'news.example.com' });
  });

  it('update their status when the selected one is selected again', async () => {
    const { id } = await domains.add(orgId, example);
    provider.settle('news.example.com', 'verified');
    const domain = await domains.select(orgId, { domain_id: provider.domains[0]?.id ?? '' });
    expect(domain).toMatchObject({ id, status: 'verified' });
  });

  it('are reported as unknown when another organization has them', async () => {
    await domains.add(otherOrgId, example);
    const mine = provider.create('mine.example.com');
    await domains.select(orgId, { domain_id: mine.id });
    const taken = await refusal(domains.select(orgId, { domain_id: provider.domains[0]?.id ?? '' }));
    const unknown = await refusal(domains.select(orgId, { domain_id: 'd91cd9bd-1176-453e-8fc1-ffffffffffff' }));
    expect(taken).toMatchObject({ status: 400, code: 'invalid_reference' });
    expect(taken.message.replace(/[0-9a-f-]{36}/, 'X')).toBe(unknown.message.replace(/[0-9a-f-]{36}/, 'X'));
    expect(await domains.get(orgId)).toMatchObject({ domain_name: 'mine.example.com' });
  });

  it('are selected by only one of two organizations at the same time', async () => {
    const free = provider.create('free.example.com');
    const settled = await Promise.allSettled(
      [orgId, otherOrgId].map((each) => domains.select(each, { domain_id: free.id })),
    );
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('an organization without a domain', () => {
  it.each(['verify', 'refresh', 'delete'] as const)('gets a 404 from %s', async (operation) => {
    expect(await refusal(domains[operation](orgId))).toMatchObject({ status: 404, code: 'domain_not_found' });
  });
});

describe('a deployment without a mail provider', () => {
  it('answers 503 and names the setting to configure', async () => {
    const without = operations();
    for (const work of [
      without.add(orgId, example),
      without.available(orgId),
      without.select(orgId, { domain_id: 'x' }),
      without.verify(orgId),
      without.refresh(orgId),
    ]) {
      const refused = await refusal(work);
      expect(refused).toMatchObject({ status: 503, code: 'unavailable' });
      expect(refused.message).toContain('RESEND_API_KEY');
    }
    expect(await without.get(orgId)).toBeNull();
    expect(await refusal(without.delete(orgId))).toMatchObject({ status: 404, code: 'domain_not_found' });
  });
});

describe('a change of the mail provider', () => {
  it('leaves a domain of the previous provider unusable but deletable', async () => {
    await domains.add(orgId, example);
    const moved = operations({ mail: { ...methodsOf(mail), id: 'postbox' } });
    for (const work of [moved.verify(orgId), moved.refresh(orgId)]) {
      expect(await refusal(work)).toMatchObject({ status: 503, message: expect.stringContaining('postbox') });
    }
    expect(await moved.available(orgId)).toMatchObject({ selected_domain_id: null });
    await moved.delete(orgId);
    expect(await moved.get(orgId)).toBeNull();
    expect(provider.domains).toHaveLength(1);
  });
});

function methodsOf(each: MailProvider): Omit<MailProvider, 'id'> {
  return {
    addDomain: (name) => each.addDomain(name),
    getDomain: (id) => each.getDomain(id),
    listDomains: () => each.listDomains(),
    verifyDomain: (id) => each.verifyDomain(id),
    removeDomain: (id) => each.removeDomain(id),
  };
}

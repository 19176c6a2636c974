import { timestamp } from '../../clock/timestamp.ts';
import {
  type AvailableMailDomains,
  addMailDomainSchema,
  type MailDomain,
  type MailDomainRecord,
  type NewMailDomain,
  type SelectedMailDomain,
  selectMailDomainSchema,
} from '../../domain/accounts/mail-domain.ts';
import { RequestError, UniqueViolation } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { parseInput } from '../../input/parse-input.ts';
import { fromProvider, toInvalidField } from '../../input/provider-failure.ts';
import { invalidReference } from '../../input/references.ts';
import { checkRecords } from '../../mail/check-records.ts';
import type { DnsResolver } from '../../ports/mail/dns.ts';
import type { ListedMailDomain, MailProvider, ProvidedMailDomain } from '../../ports/mail/mail-provider.ts';
import type { RecordDependencies } from '../dependencies.ts';

/**
 * Every method that needs the mail provider throws a `RequestError`: 503 `unavailable` without one, 502
 * `provider_error` and 504 `provider_timeout` when it fails.
 */
export interface MailDomainOperations {
  /** Returns null if the organization has none. */
  get(orgId: string): Promise<MailDomain | null>;
  /**
   * Input: `domain_name`. 409 `domain_exists` if the organization has a domain already, or if the name is taken by
   * another organization or in the provider's account.
   */
  add(orgId: string, input: NewMailDomain): Promise<MailDomain>;
  /** Deletes the domain, also at the provider if the service added it there. 404 `domain_not_found`. */
  delete(orgId: string): Promise<void>;
  /** Returns the domains of the provider's account that the organization may use (`mayUseDomain`), and its own. */
  available(orgId: string): Promise<AvailableMailDomains>;
  /**
   * Input: `domain_id`, the provider's id. Makes that domain the organization's; the previous one stays at the
   * provider. 400 `invalid_reference` for a domain that is not available.
   */
  select(orgId: string, input: SelectedMailDomain): Promise<MailDomain>;
  /**
   * Asks the provider to verify the domain, and looks up its DNS records: the status of each record is from the DNS,
   * that of the domain from the provider. 404 `domain_not_found`.
   */
  verify(orgId: string): Promise<MailDomain>;
  /** Reads the domain from the provider. 404 `domain_not_found`. */
  refresh(orgId: string): Promise<MailDomain>;
}

/**
 * Decides whether an organization may see and select a domain of the mail provider's account that it did not add
 * itself. By default only the sole organization of a deployment may: the account belongs to the host.
 */
export type MayUseDomain = (orgId: string, domainName: string) => boolean | Promise<boolean>;

/** Dependencies of the operations on mail domains. */
export interface MailDomainDependencies extends RecordDependencies {
  readonly mail?: MailProvider | undefined;
  readonly dns: DnsResolver;
  readonly mayUseDomain?: MayUseDomain | undefined;
}

/** Creates the operations on mail domains; `createOperations` creates all groups. */
export function createMailDomainOperations(deps: MailDomainDependencies): MailDomainOperations {
  const { storage, clock, dns } = deps;

  async function current(orgId: string): Promise<MailDomainRecord | null> {
    const [record] = await storage.mailDomains.list(orgId, { limit: 1 });
    return record ?? null;
  }

  async function required(orgId: string): Promise<MailDomainRecord> {
    return existing(await current(orgId));
  }

  async function mayUse(orgId: string, name: string, own: MailDomainRecord | null): Promise<boolean> {
    if (own?.domain_name === name) return true;
    if (deps.mayUseDomain !== undefined) return await deps.mayUseDomain(orgId, name);
    return (await storage.across.organizations.find({}, 2)).length <= 1;
  }

  /** Returns the record's fields that come from the provider. */
  function provided(domain: ProvidedMailDomain, before: MailDomainRecord | null): ProvidedFields {
    const now = timestamp(clock);
    return {
      provider_domain_id: domain.id,
      status: domain.status,
      region: domain.region,
      records: [...domain.records],
      updated_at: now,
      verified_at: domain.status === 'verified' ? (before?.verified_at ?? now) : null,
    };
  }

  async function save(orgId: string, id: string, changes: Partial<MailDomainRecord>): Promise<MailDomain> {
    return shown(orgId, existing(await storage.mailDomains.update(orgId, id, changes)));
  }

  /** Returns the provider's id of a domain. Adds a domain at the provider if a crash interrupted `add`. */
  async function providerId(mail: MailProvider, record: MailDomainRecord): Promise<string> {
    return record.provider_domain_id ?? (await fromProvider(mail.addDomain(record.domain_name))).id;
  }

  /** Stores that the domain no longer exists at the provider, so that no mail can be sent from it. */
  async function lost(orgId: string, record: MailDomainRecord): Promise<MailDomain> {
    const records = record.records.map((each) => ({ ...each, status: 'failed' as const }));
    return await save(orgId, record.id, {
      status: 'failed',
      records,
      updated_at: timestamp(clock),
      verified_at: null,
    });
  }

  /** Returns the listed names that belong to other organizations. */
  async function namesOfOthers(orgId: string, listed: readonly ListedMailDomain[]): Promise<ReadonlySet<string>> {
    if (listed.length === 0) return new Set();
    const names = listed.map(({ name }) => name);
    const taken = await storage.across.mailDomains.find({ where: { domain_name: { in: names } } }, names.length);
    return new Set(taken.filter((each) => each.orgId !== orgId).map(({ record }) => record.domain_name));
  }

  return {
    async get(orgId) {
      const record = await current(orgId);
      return record === null ? null : shown(orgId, record);
    },

    async add(orgId, input) {
      const mail = requiredMail(deps.mail);
      const { domain_name } = parseInput(addMailDomainSchema, input);
      const record = newRecord(deps, mail, domain_name);
      // Reserves the name before the request to the provider, so that only one of two concurrent requests continues.
      await storage.mailDomains.insert(orgId, record).catch(rethrowTaken);
      let isAdding = false;
      try {
        const listed = await fromProvider(mail.listDomains());
        if (listed.some(({ name }) => name === domain_name)) throw atProvider();
        isAdding = true;
        const domain = await fromProvider(mail.addDomain(domain_name).catch(toInvalidField('domain_name')));
        return await save(orgId, record.id, provided(domain, record));
      } catch (thrown) {
        // The provider may have added it before it failed. A remaining domain can be selected from the account.
        if (isAdding) await remove(mail, record).catch(() => {});
        await storage.mailDomains.delete(orgId, record.id, { provider_domain_id: null });
        throw thrown;
      }
    },

    async delete(orgId) {
      const record = await required(orgId);
      const mail = requiredMail(deps.mail);
      // A domain selected from the account belongs to the account and stays there.
      if (record.provider === mail.id && record.is_ours) await fromProvider(remove(mail, record));
      existing((await storage.mailDomains.delete(orgId, record.id)) ? record : null);
    },

    async available(orgId) {
      const mail = requiredMail(deps.mail);
      const listed = await fromProvider(mail.listDomains());
      const others = await namesOfOthers(orgId, listed);
      const own = await current(orgId);
      const allowed = await Promise.all(listed.map(({ name }) => mayUse(orgId, name, own)));
      return {
        domains: listed
          .filter(({ name }, n) => allowed[n] === true && !others.has(name))
          .map(({ id, name, status, region }) => ({ id, name, status, region })),
        selected_domain_id: own?.provider === mail.id ? own.provider_domain_id : null,
      };
    },

    async select(orgId, input) {
      const mail = requiredMail(deps.mail);
      const { domain_id } = parseInput(selectMailDomainSchema, input);
      const domain = await fromProvider(mail.getDomain(domain_id));
      if (domain === null) throw invalidReference('domain_id', domain_id);
      const before = await current(orgId);
      // The same error as for a domain that does not exist.
      if (!(await mayUse(orgId, domain.name, before))) throw invalidReference('domain_id', domain_id);
      if (before?.domain_name === domain.name) {
        return await save(orgId, before.id, { provider: mail.id, ...provided(domain, before) });
      }
      const record = { ...newRecord(deps, mail, domain.name), ...provided(domain, null), is_ours: false };
      await storage
        .transaction(async (tx) => {
          if (before !== null) await tx.mailDomains.delete(orgId, before.id);
          await tx.mailDomains.insert(orgId, record);
        })
        .catch((thrown: unknown) => {
          if (thrown instanceof UniqueViolation && thrown.constraint === 'domain_name') {
            throw invalidReference('domain_id', domain_id);
          }
          rethrowTaken(thrown);
        });
      return shown(orgId, record);
    },

    async verify(orgId) {
      const mail = requiredMail(deps.mail);
      const record = await required(orgId);
      checkProvider(mail, record);
      const id = await providerId(mail, record);
      if (!(await fromProvider(mail.verifyDomain(id)))) return await lost(orgId, record);
      const domain = await fromProvider(mail.getDomain(id));
      if (domain === null) return await lost(orgId, record);
      const records = await checkRecords(domain.name, domain.records, dns);
      return await save(orgId, record.id, { ...provided(domain, record), records });
    },

    async refresh(orgId) {
      const mail = requiredMail(deps.mail);
      const record = await required(orgId);
      checkProvider(mail, record);
      const domain = await fromProvider(mail.getDomain(await providerId(mail, record)));
      return domain === null ? await lost(orgId, record) : await save(orgId, record.id, provided(domain, record));
    },
  };
}

type ProvidedFields = Omit<MailDomainRecord, 'id' | 'domain_name' | 'provider' | 'is_ours' | 'created_at'>;

function newRecord({ clock, random }: RecordDependencies, mail: MailProvider, domainName: string): MailDomainRecord {
  const now = timestamp(clock);
  return {
    id: uuidv7(clock, random),
    domain_name: domainName,
    provider: mail.id,
    provider_domain_id: null,
    status: 'not_started',
    region: null,
    records: [],
    is_ours: true,
    created_at: now,
    updated_at: now,
    verified_at: null,
  };
}

function shown(orgId: string, { id, is_ours: _, ...rest }: MailDomainRecord): MailDomain {
  return { id, org_id: orgId, ...rest };
}

function existing<T>(record: T | null): T {
  if (record === null) throw new RequestError(404, 'domain_not_found', 'The organization has no domain.');
  return record;
}

function rethrowTaken(thrown: unknown): never {
  if (!(thrown instanceof UniqueViolation)) throw thrown;
  const message =
    thrown.constraint === 'domain_name'
      ? 'The domain is in use already.'
      : 'The organization has a domain already; delete that one first.';
  throw new RequestError(409, 'domain_exists', message);
}

/** Error for a domain that the account has already: it can be selected if permitted, but not added by its name. */
function atProvider(): RequestError {
  return new RequestError(
    409,
    'domain_exists',
    "The mail provider's account has the domain already: see /domains/sync.",
  );
}

function requiredMail(mail: MailProvider | undefined): MailProvider {
  if (mail !== undefined) return mail;
  throw new RequestError(
    503,
    'unavailable',
    'This deployment has no mail provider. Its operator must configure one: createVoiceAgents({ mail: resend() ' +
      '}), or RESEND_API_KEY for `va serve`.',
  );
}

/** Throws 503 if the domain is at another provider: it stays there when the deployment changes its provider. */
function checkProvider(mail: MailProvider, { provider, domain_name }: MailDomainRecord): void {
  if (provider === mail.id) return;
  throw new RequestError(
    503,
    'unavailable',
    `The domain ${domain_name} is at ${provider}, and this deployment now sends through ${mail.id}. Delete the ` +
      'domain and add it again.',
  );
}

/** Removes a domain at the provider. A domain whose addition was interrupted has no id: it is looked up by name. */
async function remove(mail: MailProvider, { provider_domain_id, domain_name }: MailDomainRecord): Promise<void> {
  const id = provider_domain_id ?? (await mail.listDomains()).find(({ name }) => name === domain_name)?.id;
  if (id !== undefined) await mail.removeDomain(id);
}

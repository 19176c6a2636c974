import { sampleCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { UniqueViolation } from '../../../src/errors.ts';
import { defaultOrganizationId } from '../../../src/operations/accounts/organizations.ts';
import { recordId, sampleUsageLog } from '../../support/sample-records.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations } from '../support.ts';

const dayMs = 24 * 3_600_000;

describe('organizations', () => {
  it('are created by the host, with its own id or a generated one', async () => {
    const { operations } = testOperations();
    const made = await operations.organizations.create({ id: orgId, name: 'Acme', plan: 'enterprise' });
    expect(made).toMatchObject({ id: orgId, name: 'Acme', plan: 'enterprise', minutes_balance: null });
    const again = await refusal(operations.organizations.create({ id: orgId, name: 'Acme' }));
    expect([again.status, again.code]).toEqual([409, 'organization_exists']);
    expect((await operations.organizations.create({ name: 'Other' })).plan).toBe('self-hosted');
  });

  it('return their usage and limits', async () => {
    const { operations } = testOperations();
    await operations.organizations.create({ id: orgId, name: 'Acme', plan: 'enterprise', concurrency_limit: 4 });
    await operations.agents.create(orgId, { name: 'A' });
    await operations.agents.create(orgId, { name: 'B', is_active: false });
    await operations.agents.create(otherOrgId, { name: 'C' });
    await operations.numbers.register(orgId, { phone_number: '+31205550100' });
    expect(await operations.organizations.get(orgId)).toEqual({
      id: orgId,
      name: 'Acme',
      plan: 'enterprise',
      minutes_balance: null,
      credit_balance: null,
      monthly_usage_minutes: 0,
      active_numbers: 1,
      active_agents: 1,
      active_calls: 0,
      has_local_models_access: false,
      concurrency: { limit: 4, active: 0 },
      webhook_url: null,
      created_at: '2026-01-01T09:00:00.000Z',
    });
    await operations.organizations.update(orgId, { local_models_approved: true, webhook_url: 'https://a.example' });
    expect(await operations.organizations.get(orgId)).toMatchObject({
      has_local_models_access: true,
      webhook_url: 'https://a.example',
    });
    await operations.organizations.update(orgId, { plan: 'pro' });
    expect((await operations.organizations.get(orgId)).has_local_models_access).toBe(false);
  });

  it('reject unknown fields and invalid values', async () => {
    const { operations } = testOperations();
    await operations.organizations.create({ id: orgId, name: 'Acme' });
    const error = await refusal(
      operations.organizations.update(orgId, untyped({ id: otherOrgId, webhook_url: 'ftp://a' })),
    );
    expect(faultsOf(error).sort()).toEqual(['id unknown_field', 'webhook_url invalid_field']);
    expect((await refusal(operations.organizations.update(otherOrgId, {}))).code).toBe('organization_not_found');
  });
});

describe('a new organization', () => {
  it('has a webhook secret of its own, and no limits', async () => {
    const { operations } = testOperations();
    const [first, second] = [
      await operations.organizations.create({ name: ' Acme ' }),
      await operations.organizations.create({ name: 'Other' }),
    ];
    expect(first).toMatchObject({
      name: 'Acme',
      concurrency_limit: null,
      dial_policy: null,
      credit_balance: null,
      content_retention_days: null,
      metadata_retention_days: null,
      webhook_url: null,
    });
    expect(first.webhook_secret).toMatch(/^whsec_/);
    expect(second.webhook_secret).not.toBe(first.webhook_secret);
  });

  it('has the secret of the host, or none', async () => {
    const { operations } = testOperations();
    const create = async (webhook_secret: string | null) =>
      (await operations.organizations.create({ name: 'Acme', webhook_secret })).webhook_secret;
    expect([await create('whsec_own'), await create(null)]).toEqual(['whsec_own', null]);
  });

  it.each<[string, object, string[]]>([
    ['no name', {}, ['name missing_field']],
    ['a blank name', { name: ' ' }, ['name invalid_field']],
    ['an id that is no UUID', { name: 'A', id: 'one' }, ['id invalid_field']],
    ['a limit of no calls', { name: 'A', concurrency_limit: 0 }, ['concurrency_limit invalid_field']],
    ['a limit of half a call', { name: 'A', concurrency_limit: 1.5 }, ['concurrency_limit invalid_field']],
    ['a negative retention', { name: 'A', content_retention_days: -1 }, ['content_retention_days invalid_field']],
    ['a long retention', { name: 'A', metadata_retention_days: 36_501 }, ['metadata_retention_days invalid_field']],
    [
      'a prefix without a plus',
      { name: 'A', dial_policy: { prefixes: ['31'] } },
      ['dial_policy.prefixes.0 invalid_field'],
    ],
    ['a credit without prices', { name: 'A', credit_balance: 5 }, ['credit_balance invalid_field']],
  ])('is refused with %s', async (_case, input, faults) => {
    const { operations, storage } = testOperations();
    const error = await refusal(operations.organizations.create(untyped(input)));
    expect([error.status, faultsOf(error)]).toEqual([400, faults]);
    expect(await storage.across.organizations.find({}, 1)).toEqual([]);
  });

  it('may have a credit in the currency of the prices', async () => {
    const { operations } = testOperations({ currency: 'EUR' });
    await operations.organizations.create({ id: orgId, name: 'Acme', credit_balance: 5 });
    expect(await operations.organizations.update(orgId, { credit_balance: 7.5 })).toMatchObject({
      credit_balance: 7.5,
    });
  });

  it('may be made without any credit, with and without prices', async () => {
    const { operations } = testOperations();
    expect(await operations.organizations.create({ name: 'A', credit_balance: null })).toMatchObject({
      credit_balance: null,
    });
  });
});

describe('the default organization', () => {
  it('is created once, with its fixed id', async () => {
    const { operations } = testOperations();
    const made = await operations.organizations.ensureDefault();
    expect(made).toMatchObject({ id: defaultOrganizationId, name: 'Default', plan: 'self-hosted' });
    expect(await operations.organizations.ensureDefault()).toEqual(made);
  });

  it('is the oldest one if there is any', async () => {
    const { operations, clock } = testOperations();
    await operations.organizations.create({ id: otherOrgId, name: 'First' });
    await clock.advance(1_000);
    await operations.organizations.create({ id: orgId, name: 'Second' });
    expect(await operations.organizations.ensureDefault()).toMatchObject({ id: otherOrgId, name: 'First' });
  });

  it('is that of another node that created it at the same time', async () => {
    const { operations, storage, clock } = testOperations();
    const insert = storage.organizations.insert.bind(storage.organizations);
    storage.organizations.insert = async (id, organization) => {
      await insert(id, { ...organization, name: 'Of the other node' });
      throw new UniqueViolation('id');
    };
    expect(await operations.organizations.ensureDefault()).toMatchObject({
      id: defaultOrganizationId,
      name: 'Of the other node',
      created_at: new Date(clock.wallMs()).toISOString(),
    });
  });

  it('is not returned when the storage fails', async () => {
    const { operations, storage } = testOperations();
    storage.organizations.insert = () => Promise.reject(new Error('no database'));
    await expect(operations.organizations.ensureDefault()).rejects.toThrow('no database');
  });
});

describe('a changed organization', () => {
  it('keeps what the changes do not name', async () => {
    const { operations } = testOperations();
    const made = await operations.organizations.create({ id: orgId, name: 'Acme', concurrency_limit: 4 });
    expect(await operations.organizations.update(orgId, { name: 'Acme Ltd' })).toEqual({ ...made, name: 'Acme Ltd' });
  });

  it('signs with the replaced secret too, for a day', async () => {
    const { operations } = testOperations();
    await operations.organizations.create({ id: orgId, name: 'Acme', webhook_secret: 'whsec_old' });
    expect(await operations.organizations.update(orgId, { webhook_secret: 'whsec_new' })).toMatchObject({
      webhook_secret: 'whsec_new',
      webhook_previous_secret: 'whsec_old',
      webhook_previous_secret_expires_at: '2026-01-02T09:00:00.000Z',
    });
  });

  it('keeps its previous secret if the same secret is written again', async () => {
    const { operations } = testOperations();
    await operations.organizations.create({ id: orgId, name: 'Acme', webhook_secret: 'whsec_old' });
    await operations.organizations.update(orgId, { webhook_secret: 'whsec_new' });
    expect(await operations.organizations.update(orgId, { webhook_secret: 'whsec_new' })).toMatchObject({
      webhook_previous_secret: 'whsec_old',
    });
  });

  it('has no previous secret either once its secret is removed', async () => {
    const { operations } = testOperations();
    await operations.organizations.create({ id: orgId, name: 'Acme', webhook_secret: 'whsec_old' });
    await operations.organizations.update(orgId, { webhook_secret: 'whsec_new' });
    expect(await operations.organizations.update(orgId, { webhook_secret: null })).toMatchObject({
      webhook_secret: null,
      webhook_previous_secret: null,
      webhook_previous_secret_expires_at: null,
    });
  });

  it('gets webhooks again at a URL that was disabled, once it is written', async () => {
    const { operations, storage } = testOperations();
    const url = 'https://customer.test/hook';
    await operations.organizations.create({ id: orgId, name: 'Acme', webhook_url: url });
    const at = '2026-01-01T08:00:00.000Z';
    await storage.webhookEndpoints.insert(orgId, {
      id: recordId('8'),
      url,
      failing_since: at,
      disabled_at: at,
      reason: 'answered 410',
      created_at: at,
    });
    await operations.organizations.update(orgId, { name: 'Acme Ltd' });
    expect(await storage.webhookEndpoints.count(orgId, {})).toBe(1);
    await operations.organizations.update(orgId, { webhook_url: url });
    expect(await storage.webhookEndpoints.count(orgId, {})).toBe(0);
  });
});

describe('the usage of an organization', () => {
  it('is that of the calendar month, in UTC', async () => {
    const { operations, storage, clock } = testOperations();
    await operations.organizations.create({ id: orgId, name: 'Acme' });
    const log = (n: number, created_at: string, duration_seconds: number) =>
      storage.usageLogs.insert(
        orgId,
        sampleUsageLog(recordId('7', n), { id: recordId('6', n), created_at, duration_seconds }),
      );
    await log(1, '2025-12-31T23:59:59.999Z', 600);
    await log(2, '2026-01-01T00:00:00.000Z', 60);
    await log(3, '2026-01-01T08:00:00.000Z', 31);
    const used = async (): Promise<number> => (await operations.organizations.get(orgId)).monthly_usage_minutes;
    expect(await used()).toBe(1.52);
    await clock.advance(31 * dayMs);
    expect(await used()).toBe(0);
  });

  it('counts its calls that are live', async () => {
    const { operations, storage } = testOperations();
    await operations.organizations.create({ id: orgId, name: 'Acme' });
    for (const status of ['queued', 'connecting', 'in-progress', 'ended', 'failed'] as const) {
      await storage.calls.insert(orgId, sampleCall({ status }));
    }
    expect(await operations.organizations.get(orgId)).toMatchObject({
      active_calls: 3,
      concurrency: { limit: null, active: 3 },
    });
  });

  it('is not that of an organization that does not exist', async () => {
    const { operations } = testOperations();
    const get = (id: string) => refusal(operations.organizations.get(id));
    expect(await get(orgId)).toMatchObject({ status: 404, code: 'organization_not_found' });
    expect(await get('one')).toMatchObject({ status: 404, code: 'organization_not_found' });
  });
});

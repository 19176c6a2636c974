import { describe, expect, it } from 'vitest';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations } from '../support.ts';

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

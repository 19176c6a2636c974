import { describe, expect, it } from 'vitest';
import type { Campaign } from '../../../src/domain/campaigns/campaign.ts';
import type { Operations } from '../../../src/operations/operations.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

const hours = { schedule_start_time: '09:00', schedule_end_time: '17:30:00', timezone: 'Europe/Amsterdam' };

async function newCampaign(operations: Operations, changes: Record<string, unknown> = {}): Promise<Campaign> {
  const agent = await operations.agents.create(orgId, { name: 'Sales' });
  return await operations.campaigns.create(orgId, { name: 'Spring', agent_id: agent.id, ...hours, ...changes });
}

describe('creating a campaign', () => {
  it('creates a draft with defaults', async () => {
    const { operations } = testOperations();
    const campaign = await newCampaign(operations);
    expect(campaign).toMatchObject({
      status: 'draft',
      schedule_start_time: '09:00:00',
      schedule_end_time: '17:30:00',
      schedule_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      max_concurrent_calls: 5,
      max_attempts: 3,
      retry_delay_seconds: 3_600,
      retry_on: ['no_answer', 'busy', 'failed'],
      total_leads: 0,
    });
    expect(await operations.campaigns.get(orgId, campaign.id)).toEqual(campaign);
    expect(await operations.campaigns.list(orgId)).toEqual([campaign]);
  });

  it.each([
    [{ timezone: 'Mars/Olympus' }, 'timezone invalid_timezone'],
    [{ timezone: '+01:00' }, 'timezone invalid_timezone'],
    [{ schedule_start_time: '24:00' }, 'schedule_start_time invalid_field'],
    [{ schedule_start_time: '18:00' }, 'schedule_end_time invalid_field'],
    [{ schedule_end_time: '09:00' }, 'schedule_end_time invalid_field'],
    [{ start_date: '2026-02-02', end_date: '2026-02-01' }, 'end_date invalid_field'],
    [{ schedule_days: ['mon', 'mon'] }, 'schedule_days invalid_field'],
    [{ agent_id: unknownId }, 'agent_id invalid_reference'],
    [{ number_id: unknownId }, 'number_id invalid_reference'],
    [{ status: 'running' }, 'status unknown_field'],
  ])('refuses %j', async (changes, fault) => {
    const { operations } = testOperations();
    expect(faultsOf(await refusal(newCampaign(operations, changes)))).toEqual([fault]);
  });

  it('refuses the agent of another organization', async () => {
    const { operations } = testOperations();
    const foreign = await operations.agents.create(otherOrgId, { name: 'Theirs' });
    const error = await refusal(newCampaign(operations, { agent_id: foreign.id }));
    expect(faultsOf(error)).toEqual(['agent_id invalid_reference']);
  });
});

describe('the status of a campaign', () => {
  const steps = (operations: Operations, id: string, statuses: string[]): Promise<Campaign> =>
    statuses.reduce(
      async (before, status) => {
        await before;
        return await operations.campaigns.update(orgId, id, untyped({ status }));
      },
      operations.campaigns.get(orgId, id),
    );

  it.each([
    [['scheduled'], 'scheduled'],
    [['scheduled', 'paused', 'scheduled'], 'scheduled'],
    [['cancelled'], 'cancelled'],
    [['scheduled', 'paused', 'cancelled'], 'cancelled'],
  ])('allows the transitions %j', async (statuses, last) => {
    const { operations } = testOperations();
    const { id } = await newCampaign(operations);
    expect((await steps(operations, id, statuses)).status).toBe(last);
  });

  it.each([[['paused']], [['scheduled', 'scheduled']], [['cancelled', 'scheduled']], [['cancelled', 'cancelled']]])(
    'refuses the transitions %j',
    async (statuses) => {
      const { operations } = testOperations();
      const { id } = await newCampaign(operations);
      const error = await refusal(steps(operations, id, statuses));
      expect([error.status, error.code]).toEqual([409, 'campaign_invalid_transition']);
    },
  );

  it('cannot change from running to scheduled by request', async () => {
    const { operations, storage } = testOperations();
    const { id } = await newCampaign(operations);
    await storage.campaigns.update(orgId, id, { status: 'running' });
    expect((await refusal(steps(operations, id, ['scheduled']))).code).toBe('campaign_invalid_transition');
    expect((await refusal(operations.campaigns.update(orgId, id, { name: 'x' }))).code).toBe('campaign_not_editable');
    expect((await refusal(operations.campaigns.delete(orgId, id))).code).toBe('campaign_not_editable');
  });

  it('requires an active agent to be scheduled', async () => {
    const { operations } = testOperations();
    const campaign = await newCampaign(operations);
    await operations.agents.update(orgId, campaign.agent_id ?? '', { is_active: false });
    expect((await refusal(steps(operations, campaign.id, ['scheduled']))).code).toBe('agent_inactive');
  });

  it('skips the pending leads on cancellation', async () => {
    const { operations } = testOperations();
    const { id } = await newCampaign(operations);
    await operations.leads.add(orgId, id, { phone_number: '+31612345678' });
    await steps(operations, id, ['scheduled', 'cancelled']);
    const { leads } = await operations.leads.list(orgId, id);
    expect(leads.map(({ status }) => status)).toEqual(['skipped']);
    const error = await refusal(operations.leads.add(orgId, id, { phone_number: '+31612345679' }));
    expect([error.status, error.code]).toEqual([409, 'campaign_not_editable']);
  });

  it('becomes paused when the agent is deleted', async () => {
    const { operations } = testOperations();
    const campaign = await newCampaign(operations);
    await steps(operations, campaign.id, ['scheduled']);
    await operations.agents.delete(orgId, campaign.agent_id ?? '');
    expect(await operations.campaigns.get(orgId, campaign.id)).toMatchObject({
      status: 'paused',
      status_reason: 'The agent was deleted.',
      agent_id: null,
    });
  });

  it('prevents the deletion of its number while running', async () => {
    const { operations, storage } = testOperations();
    const number = await operations.numbers.register(orgId, { phone_number: '+31205550100' });
    const { id } = await newCampaign(operations, { number_id: number.id });
    await storage.campaigns.update(orgId, id, { status: 'running' });
    const error = await refusal(operations.numbers.delete(orgId, number.id));
    expect([error.status, error.code]).toEqual([409, 'number_in_use']);
    await storage.campaigns.update(orgId, id, { status: 'paused' });
    await operations.numbers.delete(orgId, number.id);
    expect((await operations.campaigns.get(orgId, id)).number_id).toBeNull();
  });
});

describe('deleting a campaign', () => {
  it('deletes its leads too', async () => {
    const { operations, storage } = testOperations();
    const { id } = await newCampaign(operations);
    await operations.leads.add(orgId, id, { phone_number: '+31612345678' });
    await operations.campaigns.delete(orgId, id);
    expect(await storage.leads.count(orgId)).toBe(0);
    expect((await refusal(operations.campaigns.delete(orgId, id))).code).toBe('campaign_not_found');
  });
});

import { scriptedLlm } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { Campaign, CampaignChanges } from '../../../src/domain/campaigns/campaign.ts';
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

describe('the schedule of a campaign', () => {
  it('is checked as a whole when a part of it is changed', async () => {
    const { operations } = testOperations();
    const { id } = await newCampaign(operations, { start_date: '2026-02-01', end_date: '2026-02-28' });
    const faults = async (changes: CampaignChanges): Promise<string[]> =>
      faultsOf(await refusal(operations.campaigns.update(orgId, id, changes)));
    expect(await faults({ schedule_end_time: '08:00' })).toEqual(['schedule_end_time invalid_field']);
    expect(await faults({ schedule_start_time: '17:30' })).toEqual(['schedule_end_time invalid_field']);
    expect(await faults({ start_date: '2026-03-01', schedule_end_time: '09:00' })).toEqual([
      'schedule_end_time invalid_field',
      'end_date invalid_field',
    ]);
    expect(await operations.campaigns.update(orgId, id, { start_date: '2026-02-28' })).toMatchObject({
      start_date: '2026-02-28',
      end_date: '2026-02-28',
      schedule_start_time: '09:00:00',
    });
    expect(await operations.campaigns.update(orgId, id, { start_date: null })).toMatchObject({ start_date: null });
  });

  it('is looked at by the scheduler at once after a change', async () => {
    const { operations, storage, clock } = testOperations();
    const { id } = await newCampaign(operations);
    await storage.campaigns.update(orgId, id, { next_pass_at: '2026-03-01T00:00:00.000Z' });
    await clock.advance(5_000);
    await operations.campaigns.update(orgId, id, { schedule_end_time: '20:00' });
    expect(await storage.campaigns.get(orgId, id)).toMatchObject({
      next_pass_at: '2026-01-01T09:00:05.000Z',
      updated_at: '2026-01-01T09:00:05.000Z',
    });
  });
});

describe('changing a campaign', () => {
  it.each(['draft', 'scheduled', 'paused'] as const)('is possible while it is %s', async (status) => {
    const { operations, storage } = testOperations();
    const before = await newCampaign(operations);
    await storage.campaigns.update(orgId, before.id, { status });
    expect(await operations.campaigns.update(orgId, before.id, { name: ' Summer ' })).toEqual({
      ...before,
      status,
      name: 'Summer',
    });
  });

  it.each(['running', 'completed', 'cancelled'] as const)('is impossible while it is %s', async (status) => {
    const { operations, storage } = testOperations();
    const { id } = await newCampaign(operations);
    await storage.campaigns.update(orgId, id, { status });
    const error = await refusal(operations.campaigns.update(orgId, id, { name: 'Summer' }));
    expect([error.status, error.code, error.message]).toEqual([
      409,
      'campaign_not_editable',
      `A campaign in the status ${status} cannot be changed.`,
    ]);
  });

  it('refuses references to records that the organization does not have', async () => {
    const { operations } = testOperations();
    const { id } = await newCampaign(operations);
    const foreign = await operations.agents.create(otherOrgId, { name: 'Theirs' });
    const faults = async (changes: CampaignChanges): Promise<string[]> =>
      faultsOf(await refusal(operations.campaigns.update(orgId, id, changes)));
    expect(await faults({ agent_id: foreign.id })).toEqual(['agent_id invalid_reference']);
    expect(await faults({ number_id: unknownId })).toEqual(['number_id invalid_reference']);
  });

  it('is tried again when the status was changed meanwhile', async () => {
    const { operations, storage } = testOperations();
    const { id } = await newCampaign(operations);
    const get = storage.campaigns.get.bind(storage.campaigns);
    storage.campaigns.get = async (org, campaignId) => {
      const read = await get(org, campaignId);
      storage.campaigns.get = get;
      await storage.campaigns.update(org, campaignId, { status: 'scheduled' });
      return read;
    };
    expect(await operations.campaigns.update(orgId, id, { name: 'Summer' })).toMatchObject({
      name: 'Summer',
      status: 'scheduled',
    });
  });

  it('is given up after five tries', async () => {
    const { operations, storage } = testOperations();
    const { id } = await newCampaign(operations);
    const get = storage.campaigns.get.bind(storage.campaigns);
    let tries = 0;
    storage.campaigns.get = async (org, campaignId) => {
      tries += 1;
      const read = await get(org, campaignId);
      return read === null ? null : { ...read, status: 'paused' };
    };
    const error = await refusal(operations.campaigns.update(orgId, id, { name: 'Summer' }));
    expect([error.status, error.code, tries]).toEqual([503, 'unavailable', 5]);
  });

  it.each([unknownId, 'one'])('returns 404 for the id %s', async (id) => {
    const { operations } = testOperations();
    for (const work of [
      operations.campaigns.update(orgId, id, { name: 'Summer' }),
      operations.campaigns.get(orgId, id),
      operations.campaigns.delete(orgId, id),
      operations.campaigns.events(orgId, id, { signal: new AbortController().signal }),
    ]) {
      expect(await refusal(work)).toMatchObject({ status: 404, code: 'campaign_not_found' });
    }
  });

  it('is possible only for its own organization', async () => {
    const { operations } = testOperations();
    const { id } = await newCampaign(operations);
    expect((await refusal(operations.campaigns.update(otherOrgId, id, { name: 'x' }))).status).toBe(404);
    expect((await refusal(operations.campaigns.delete(otherOrgId, id))).status).toBe(404);
    expect(await operations.campaigns.list(otherOrgId)).toEqual([]);
  });
});

describe('starting a campaign', () => {
  it('needs an agent', async () => {
    const { operations, storage } = testOperations();
    const { id } = await newCampaign(operations);
    await storage.campaigns.update(orgId, id, { agent_id: null });
    const error = await refusal(operations.campaigns.update(orgId, id, { status: 'scheduled' }));
    expect([error.status, error.code]).toEqual([409, 'agent_inactive']);
  });

  it('takes the agent that the same request gives it', async () => {
    const { operations } = testOperations();
    const { id, agent_id: first } = await newCampaign(operations);
    await operations.agents.update(orgId, first ?? '', { is_active: false });
    const second = await operations.agents.create(orgId, { name: 'Service' });
    expect(await operations.campaigns.update(orgId, id, { status: 'scheduled', agent_id: second.id })).toMatchObject({
      status: 'scheduled',
      agent_id: second.id,
    });
  });

  it('needs an agent that can hold a conversation', async () => {
    const { operations } = testOperations({ providers: [scriptedLlm([])] });
    const { id } = await newCampaign(operations);
    const error = await refusal(operations.campaigns.update(orgId, id, { status: 'scheduled' }));
    expect([error.status, error.code]).toEqual([422, 'agent_incomplete']);
    expect((await operations.campaigns.get(orgId, id)).status).toBe('draft');
  });

  it('clears the reason of its pause, and the failures of its trunk', async () => {
    const { operations, storage } = testOperations();
    const { id } = await newCampaign(operations);
    await storage.campaigns.update(orgId, id, {
      status: 'paused',
      status_reason: 'The trunk failed.',
      dial_failures: 7,
      slowed_until_ms: 1_000,
    });
    await operations.campaigns.update(orgId, id, { status: 'scheduled' });
    expect(await storage.campaigns.get(orgId, id)).toMatchObject({
      status: 'scheduled',
      status_reason: null,
      dial_failures: 0,
      slowed_until_ms: null,
    });
  });
});

describe('listing campaigns', () => {
  it('is by age, newest first, a page at a time', async () => {
    const { operations, clock } = testOperations();
    for (const name of ['one', 'two', 'three']) {
      await newCampaign(operations, { name });
      await clock.advance(1_000);
    }
    const names = async (query: object): Promise<string[]> =>
      (await operations.campaigns.list(orgId, query)).map(({ name }) => name);
    expect(await names({})).toEqual(['three', 'two', 'one']);
    expect(await names({ limit: '1', offset: '1' })).toEqual(['two']);
    expect(faultsOf(await refusal(operations.campaigns.list(orgId, { limit: '0' })))).toEqual(['limit invalid_field']);
  });

  it('has the rates of its calls, and no fields of the scheduler', async () => {
    const { operations, storage } = testOperations();
    const { id } = await newCampaign(operations);
    expect(await operations.campaigns.get(orgId, id)).toMatchObject({
      answered_rate: null,
      average_duration_seconds: null,
    });
    await storage.campaigns.update(orgId, id, { total_calls: 3, answered_calls: 2, talk_seconds: 61 });
    const [shown] = await operations.campaigns.list(orgId);
    expect(shown).toMatchObject({ answered_rate: 0.6667, average_duration_seconds: 30.5 });
    for (const hidden of ['talk_seconds', 'next_pass_at', 'paced_until_ms', 'dial_failures', 'slowed_until_ms']) {
      expect(shown).not.toHaveProperty(hidden);
    }
  });
});

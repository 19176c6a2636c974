import { memory } from '@va/storage/memory';
import { ScriptedWebhooks, silentLogger, type VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { CampaignPublisher } from '../../../src/campaigns/status/campaign-publisher.ts';
import {
  completeCampaign,
  isDone,
  skipRemainingLeads,
  transitionCampaign,
} from '../../../src/campaigns/status/campaign-status.ts';
import {
  type CampaignRecord,
  type CampaignStatus,
  campaignStatuses,
  campaignTransitions,
} from '../../../src/domain/campaigns/campaign.ts';
import { InProcessJobs } from '../../../src/jobs/in-process-jobs.ts';
import type { Operations } from '../../../src/operations/operations.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { WebhookOutbox } from '../../../src/webhooks/outbox.ts';
import { orgId, testOperations } from '../../operations/support.ts';
import { untyped } from '../../support/untyped.ts';

let clock: VirtualClock;
let storage: Storage;
let operations: Operations;
let deps: { readonly campaignPublisher: CampaignPublisher; readonly clock: VirtualClock };
let progressed: number;

beforeEach(() => {
  storage = memory();
  ({ operations, clock } = testOperations({ storage }));
  const random = (count: number): Uint8Array => new Uint8Array(count);
  const base = { clock, random, logger: silentLogger, webhooks: new ScriptedWebhooks() };
  const jobs = new InProcessJobs(clock);
  const campaignPublisher = new CampaignPublisher({ ...base, storage, jobs, outbox: new WebhookOutbox(base) });
  progressed = 0;
  campaignPublisher.onAny(() => {
    progressed += 1;
  });
  deps = { campaignPublisher, clock };
});

/** A campaign in a status, with a number of pending leads; `counts` overrides its stored counts. */
async function campaignOf(
  status: CampaignStatus,
  pending = 0,
  counts: Partial<CampaignRecord> = {},
): Promise<CampaignRecord> {
  const agent = await operations.agents.create(orgId, { name: 'Sales' });
  const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC' };
  const { id } = await operations.campaigns.create(orgId, { name: 'Spring', agent_id: agent.id, ...hours });
  for (let n = 0; n < pending; n += 1) await operations.leads.add(orgId, id, { phone_number: `+3161234567${n}` });
  const record = await storage.campaigns.update(orgId, id, { status, ...counts });
  if (record === null) throw new Error('expected the campaign to exist');
  return record;
}

const stored = (id: string): Promise<CampaignRecord | null> => storage.campaigns.get(orgId, id);

describe('transitionCampaign', () => {
  it('stores the status with its reason, and notifies listeners', async () => {
    const before = await campaignOf('running');
    await clock.advance(5_000);
    const after = await transitionCampaign(deps, orgId, before, 'paused', 'no agent');
    expect(after).toMatchObject({
      status: 'paused',
      status_reason: 'no agent',
      updated_at: '2026-01-01T09:00:05.000Z',
    });
    expect([await stored(before.id), progressed]).toEqual([after, 1]);
  });

  it('returns null, and notifies nobody, if another writer has changed the status', async () => {
    const before = await campaignOf('running');
    await storage.campaigns.update(orgId, before.id, { status: 'cancelled' });
    expect(await transitionCampaign(deps, orgId, before, 'paused')).toBeNull();
    expect([(await stored(before.id))?.status, progressed]).toEqual(['cancelled', 0]);
  });

  const invalid = campaignStatuses.flatMap((from) =>
    campaignStatuses.filter((to) => !campaignTransitions[from].includes(to)).map((to) => [from, to] as const),
  );

  it.each(invalid)('does not change %s to %s', async (from, to) => {
    const before = untyped({ id: 'c', status: from }) as CampaignRecord;
    await expect(transitionCampaign(deps, orgId, before, to)).rejects.toMatchObject({ code: 'internal_error' });
  });
});

describe('completeCampaign', () => {
  it.each(['scheduled', 'running'] as const)('completes a %s campaign', async (status) => {
    const before = await campaignOf(status);
    expect(await completeCampaign(deps, orgId, before, 'over')).toMatchObject({
      status: 'completed',
      status_reason: 'over',
    });
  });

  it.each<[string, CampaignStatus, Partial<CampaignRecord>]>([
    ['with a pending lead', 'running', { pending_leads: 1 }],
    ['with a lead in a call', 'running', { calling_leads: 1 }],
    ['that was paused', 'paused', {}],
  ])('leaves a campaign %s as it is', async (_case, status, counts) => {
    const before = await campaignOf(status, 0, counts);
    expect(await completeCampaign(deps, orgId, before)).toBeNull();
    expect(await stored(before.id)).toEqual(before);
  });
});

describe('isDone', () => {
  it.each([
    [{ total_leads: 0, pending_leads: 0, calling_leads: 0 }, false],
    [{ total_leads: 2, pending_leads: 1, calling_leads: 0 }, false],
    [{ total_leads: 2, pending_leads: 0, calling_leads: 1 }, false],
    [{ total_leads: 2, pending_leads: 0, calling_leads: 0 }, true],
  ])('is for %j: %s', (counts, expected) => {
    expect(isDone(untyped(counts))).toBe(expected);
  });
});

describe('skipRemainingLeads', () => {
  it('skips the pending leads of a cancelled campaign, which stays cancelled', async () => {
    const before = await campaignOf('cancelled', 2);
    expect(await skipRemainingLeads(deps, orgId, before)).toBe(false);
    expect(await stored(before.id)).toMatchObject({ status: 'cancelled', pending_leads: 0, skipped_leads: 2 });
    const { leads } = await operations.leads.list(orgId, before.id);
    expect(leads.map(({ status, status_reason }) => [status, status_reason])).toEqual([
      ['skipped', 'The campaign was cancelled.'],
      ['skipped', 'The campaign was cancelled.'],
    ]);
  });

  it('completes a campaign whose end date has passed', async () => {
    const before = await campaignOf('running', 1);
    expect(await skipRemainingLeads(deps, orgId, before)).toBe(false);
    expect(await stored(before.id)).toMatchObject({
      status: 'completed',
      status_reason: 'The end date of the campaign has passed.',
      skipped_leads: 1,
    });
  });

  it('waits for the live calls of such a campaign', async () => {
    const before = await campaignOf('running', 1, { calling_leads: 1, total_leads: 2 });
    expect(await skipRemainingLeads(deps, orgId, before)).toBe(false);
    expect(await stored(before.id)).toMatchObject({ status: 'running', pending_leads: 0, calling_leads: 1 });
  });

  it('skips nothing of a campaign that was paused meanwhile', async () => {
    const before = await campaignOf('running', 1);
    await storage.campaigns.update(orgId, before.id, { status: 'paused' });
    expect(await skipRemainingLeads(deps, orgId, before)).toBe(false);
    expect(await stored(before.id)).toMatchObject({ status: 'paused', pending_leads: 1, skipped_leads: 0 });
  });
});

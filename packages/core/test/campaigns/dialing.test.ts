import { describe, expect, it } from 'vitest';
import { type CampaignService, lead } from './campaign-service.ts';
import { campaignServices, statuses } from './campaign-services.ts';

const service = campaignServices();

describe('a campaign', () => {
  it('dials its leads when started, and completes when all have been called', async () => {
    const my = await service();
    const id = await my.campaign(2);
    expect(my.dialed).toEqual([lead(0), lead(1)]);
    expect(await my.get(id)).toMatchObject({ status: 'running', total_leads: 2, calling_leads: 2, pending_leads: 0 });
    await my.talk(my.live[0], 4_000);
    await my.refuse(my.live[0], 'busy');
    expect(await my.get(id)).toMatchObject({
      status: 'completed',
      total_leads: 2,
      completed_leads: 1,
      failed_leads: 1,
      calling_leads: 0,
      total_calls: 2,
      answered_calls: 1,
      answered_rate: 0.5,
      average_duration_seconds: 4,
    });
    const [first, second] = await my.leads(id);
    expect(first).toMatchObject({ status: 'completed', attempts: 1, last_end_reason: 'user_hangup' });
    expect(second).toMatchObject({ status: 'failed', attempts: 1, last_end_reason: 'busy', next_attempt_at: null });
    const calls = await my.calls();
    for (const each of [first, second]) {
      const call = calls.find(({ lead_id }) => lead_id === each?.id);
      expect(call).toMatchObject({ id: each?.call_id, campaign_id: id, direction: 'outbound' });
    }
  });

  it('waits for its calling hours, stops after them, and resumes the next day', async () => {
    const my = await service();
    const id = await my.campaign(2, {
      schedule_start_time: '10:30',
      schedule_end_time: '10:35',
      max_concurrent_calls: 1,
    });
    expect([my.dialed.length, (await my.get(id)).status]).toEqual([0, 'scheduled']);
    await my.clock.advance(30 * 60_000 - 1);
    expect(my.dialed).toEqual([]);
    await my.clock.advance(1);
    expect([my.dialed.length, (await my.get(id)).status]).toEqual([1, 'running']);
    my.live[0]?.pickUp();
    await my.clock.advance(10_000);
    await my.clock.advance(30 * 60_000 - 10_000);
    expect((await my.get(id)).status).toBe('scheduled');
    await my.clock.advance(23.5 * 3_600_000 - 1);
    expect(my.dialed).toHaveLength(1);
    await my.clock.advance(1);
    expect([my.dialed.length, (await my.get(id)).status]).toEqual([2, 'running']);
  });

  it('lets a live call finish after its calling hours', async () => {
    const my = await service();
    const id = await my.campaign(1, { schedule_end_time: '10:01' });
    my.live[0]?.pickUp();
    await my.clock.advance(60_000);
    expect([my.live.length, (await my.get(id)).status]).toEqual([1, 'scheduled']);
    await my.talk(my.live[0], 0);
    expect(await my.get(id)).toMatchObject({ status: 'completed', completed_leads: 1 });
  });

  it('completes after its end date and skips the remaining leads', async () => {
    const my = await service();
    const id = await my.campaign(2, { end_date: '2026-01-15', schedule_end_time: '10:01', max_concurrent_calls: 1 });
    my.live[0]?.pickUp();
    await my.clock.advance(60_000);
    expect(await statuses(my, id)).toEqual(['calling', 'skipped']);
    await my.talk(my.live[0], 0);
    expect(await my.get(id)).toMatchObject({
      status: 'completed',
      status_reason: 'The end date of the campaign has passed.',
      completed_leads: 1,
      skipped_leads: 1,
    });
  });

  it('stays scheduled until it has a lead', async () => {
    const my = await service();
    const id = await my.campaign(0);
    await my.clock.advance(60_000);
    expect((await my.get(id)).status).toBe('running');
    await my.va.operations.leads.add(my.orgId, id, { phone_number: lead(1) });
    await my.clock.advance(20);
    expect(my.dialed).toEqual([lead(1)]);
  });

  it('stops dialing when paused, lets live calls finish, and resumes when started again', async () => {
    const my = await service();
    const id = await my.campaign(3, { max_concurrent_calls: 1 });
    my.live[0]?.pickUp();
    await my.va.operations.campaigns.update(my.orgId, id, { status: 'paused' });
    await my.clock.advance(5_000);
    expect(my.live).toHaveLength(1);
    await my.talk(my.live[0]);
    await my.clock.advance(120_000);
    expect([my.dialed.length, ...(await statuses(my, id))]).toEqual([1, 'completed', 'pending', 'pending']);
    await my.va.operations.campaigns.update(my.orgId, id, { status: 'scheduled' });
    await my.clock.advance(20);
    expect(my.dialed).toHaveLength(2);
  });

  it('skips pending leads when cancelled, and does not retry called ones', async () => {
    const my = await service();
    const id = await my.campaign(2, { max_concurrent_calls: 1, retry_on: ['busy'] });
    await my.va.operations.campaigns.update(my.orgId, id, { status: 'cancelled' });
    await my.refuse(my.live[0], 'busy');
    await my.clock.advance(3_700_000);
    expect([my.dialed.length, ...(await statuses(my, id))]).toEqual([1, 'failed', 'skipped']);
    expect(await my.get(id)).toMatchObject({
      status: 'cancelled',
      failed_leads: 1,
      skipped_leads: 1,
      calling_leads: 0,
    });
  });
});

describe('a campaign with many leads', () => {
  it('skips pending leads in batches when cancelled', async () => {
    const my = await service();
    const id = await my.campaign(0, { schedule_start_time: '12:00' });
    for (let from = 0; from < 5_000; from += 1_000) {
      const leads = Array.from({ length: 1_000 }, (_, n) => ({ phone_number: lead(from + n) }));
      await my.va.operations.leads.addMany(my.orgId, id, { leads });
    }
    const cancelled = await my.va.operations.campaigns.update(my.orgId, id, { status: 'cancelled' });
    expect(cancelled).toMatchObject({ status: 'cancelled', skipped_leads: 2_000, pending_leads: 3_000 });
    await my.clock.advance(1_000);
    expect(await my.get(id)).toMatchObject({ status: 'cancelled', skipped_leads: 5_000, pending_leads: 0 });
    expect(await my.storage.campaigns.get(my.orgId, id)).toMatchObject({ next_pass_at: null });
  });
});

describe('the calls of a campaign', () => {
  it('are limited by its max_concurrent_calls', async () => {
    const my = await service();
    await my.campaign(5, { max_concurrent_calls: 2 });
    expect(my.live).toHaveLength(2);
    await my.talk(my.live[0]);
    expect([my.live.length, my.dialed.length]).toEqual([2, 3]);
  });

  it('are limited by its calls_per_minute', async () => {
    const my = await service();
    await my.campaign(10, { calls_per_minute: 4, max_concurrent_calls: 10 });
    const at: number[] = [];
    for (let second = 0; second < 90; second += 1) {
      while (at.length < my.dialed.length) at.push(second);
      await my.clock.advance(1_000);
    }
    expect(at).toEqual([0, 15, 30, 45, 60, 75]);
  });

  it('are limited by the concurrency_limit of the organization, which counts all its calls', async () => {
    const my = await service();
    await my.organization({ concurrency_limit: 2 });
    const { call_id } = await my.va.operations.calls.place(my.orgId, { destination: lead(99), agent_id: my.agentId });
    await my.campaign(3);
    expect(my.dialed).toEqual([lead(99), lead(0)]);
    await my.clock.advance(5_000);
    expect(my.live).toHaveLength(2);
    await my.va.operations.calls.control(my.orgId, call_id, { type: 'end-call' });
    await my.clock.advance(1_100);
    expect(my.dialed).toEqual([lead(99), lead(0), lead(1)]);
  });

  it('are limited by max_concurrent_calls of the trunk', async () => {
    const my = await service();
    await my.va.operations.trunks.update(my.orgId, my.trunkId, { max_concurrent_calls: 2 });
    await my.campaign(3);
    expect(my.live).toHaveLength(2);
    const placing = my.va.operations.calls.place(my.orgId, { destination: lead(99), agent_id: my.agentId });
    await expect(placing).rejects.toMatchObject({ status: 429, code: 'concurrency_limit_exceeded' });
    await my.talk(my.live[0]);
    await my.clock.advance(1_100);
    expect([my.live.length, my.dialed.length]).toEqual([2, 3]);
  });

  it('are limited by maxConcurrentCalls of the process', async () => {
    const my = await service({}, { limits: { maxConcurrentCalls: 3 } });
    await my.campaign(5, { max_concurrent_calls: 10 });
    await my.clock.advance(2_000);
    expect(my.live).toHaveLength(3);
    await my.talk(my.live[0]);
    await my.clock.advance(1_100);
    expect([my.live.length, my.dialed.length]).toEqual([3, 4]);
  });

  it('are limited to a fair share when other campaigns and organizations dial', async () => {
    const limits = { maxCallsPerOrganization: 0, maxRingingCallsPerOrganization: 0 };
    const my = await service({}, { limits: { ...limits, maxConcurrentCalls: 4 } });
    const other = (await my.va.operations.organizations.create({ name: 'Other' })).id;
    const otherAgent = await my.newLine({}, other);
    const held = await my.campaign(4, { max_concurrent_calls: 4, name: 'First' });
    for (let n = 0; n < 6; n += 1) await my.campaign(50, { max_concurrent_calls: 50 });
    const theirs = await my.campaign(50, { agent_id: otherAgent, max_concurrent_calls: 50 }, other);
    for (let n = 0; n < 12; n += 1) {
      await my.refuse(my.live[0], 'busy');
      await my.clock.advance(1_000);
    }
    const { failed_leads, calling_leads } = await my.get(theirs, other);
    expect((await my.get(held)).status).toBe('completed');
    // About half of the calls since then, although the other organization has six campaigns.
    expect(failed_leads + calling_leads).toBeGreaterThanOrEqual(5);
    expect(failed_leads + calling_leads).toBeLessThanOrEqual(7);
  });
});

describe('a running campaign', () => {
  it.each([
    [
      'its agent is not active',
      'The agent is not active.',
      (my: CampaignService) => my.va.operations.agents.update(my.orgId, my.agentId, { is_active: false }),
    ],
    [
      'its agent cannot hold a conversation',
      expect.stringContaining('The agent has no tts_config'),
      (my: CampaignService) => my.va.operations.agents.update(my.orgId, my.agentId, { tts_config: null }),
    ],
    [
      'its agent is deleted',
      'The agent was deleted.',
      (my: CampaignService) => my.va.operations.agents.delete(my.orgId, my.agentId),
    ],
    [
      'no trunk is left',
      expect.stringContaining(
        'no active number with an active SIP trunk to dial out from. List the number in `numbers`',
      ),
      (my: CampaignService) => my.va.operations.trunks.delete(my.orgId, my.trunkId),
    ],
    [
      'no minutes are left',
      'The organization has no minutes left.',
      (my: CampaignService) => my.organization({ minutes_balance: 0 }),
    ],
  ])('is paused with a status_reason when %s', async (_, reason, happen) => {
    const my = await service();
    const id = await my.campaign(1, { schedule_start_time: '10:30' });
    await happen(my);
    await my.clock.advance(31 * 60_000);
    expect(await my.get(id)).toMatchObject({ status: 'paused', status_reason: reason, pending_leads: 1 });
    expect(my.dialed).toEqual([]);
  });
});

describe('a change of a campaign', () => {
  it('is sent to a customer’s server that subscribes to campaign-update', async () => {
    const my = await service({ webhook_url: 'https://customer.test/hook', webhook_events: ['campaign-update'] });
    const id = await my.campaign(1);
    await my.talk(my.live[0]);
    const told = my.webhooks.of('campaign-update').map(({ campaign }) => campaign);
    expect(told).toMatchObject([
      { id, status: 'scheduled', totalLeads: 1, pendingLeads: 1 },
      { id, status: 'running' },
      { id, status: 'completed', statusReason: null, pendingLeads: 0, completedLeads: 1 },
    ]);
  });

  it('is not sent to a server that does not subscribe', async () => {
    const my = await service({ webhook_url: 'https://customer.test/hook' });
    await my.campaign(1);
    expect(my.webhooks.of('campaign-update')).toEqual([]);
  });

  it('is emitted to the host and to listeners', async () => {
    const my = await service();
    const id = await my.campaign(1);
    let woken = 0;
    const stop = my.va.operations.campaigns.onChanged(id, () => {
      woken += 1;
    });
    await my.talk(my.live[0]);
    stop();
    expect(woken).toBeGreaterThan(0);
    expect(my.updates.map(({ status }) => status)).toEqual(
      expect.arrayContaining(['scheduled', 'running', 'completed']),
    );
    expect(my.updates.at(-1)).toMatchObject({ id, status: 'completed', completed_leads: 1 });
    expect(my.updates.at(-1)).not.toHaveProperty('next_pass_at');
  });
});

describe('a closing process', () => {
  it('dials no more leads', async () => {
    const my = await service();
    const id = await my.campaign(2, { max_concurrent_calls: 1 });
    const closing = my.va.close({ drainMs: 1_000 });
    await my.refuse(my.live[0], 'busy');
    await my.clock.advance(5_000);
    await closing;
    expect([my.dialed.length, id.length]).toEqual([1, 36]);
  });
});

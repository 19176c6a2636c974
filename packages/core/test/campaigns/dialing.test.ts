import { afterEach, describe, expect, it } from 'vitest';
import type { VoiceAgentsOptions } from '../../src/service.ts';
import { CampaignService, lead } from './campaign-service.ts';

const open: CampaignService[] = [];

afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});

async function service(
  agent: Record<string, unknown> = {},
  options: Partial<VoiceAgentsOptions> = {},
): Promise<CampaignService> {
  const made = new CampaignService(options);
  open.push(made);
  return await made.start(agent);
}

const statuses = async (service: CampaignService, id: string): Promise<string[]> =>
  (await service.leads(id)).map(({ status }) => status);

describe('a campaign', () => {
  it('dials its leads when it is started, and is completed when all have been called', async () => {
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

  it('waits for its hours, stops when they are over, and goes on the next day', async () => {
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

  it('lets a call that goes on finish when its hours are over', async () => {
    const my = await service();
    const id = await my.campaign(1, { schedule_end_time: '10:01' });
    my.live[0]?.pickUp();
    await my.clock.advance(60_000);
    expect([my.live.length, (await my.get(id)).status]).toEqual([1, 'scheduled']);
    await my.talk(my.live[0], 0);
    expect(await my.get(id)).toMatchObject({ status: 'completed', completed_leads: 1 });
  });

  it('ends when its last day is over, with those skipped who were not called', async () => {
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

  it('waits for its first lead', async () => {
    const my = await service();
    const id = await my.campaign(0);
    await my.clock.advance(60_000);
    expect((await my.get(id)).status).toBe('running');
    await my.va.operations.leads.add(my.orgId, id, { phone_number: lead(1) });
    await my.clock.advance(20);
    expect(my.dialed).toEqual([lead(1)]);
  });

  it('dials nobody any more when it is paused, lets live calls finish, and goes on when it is started again', async () => {
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

  it('skips who is not dialed when it is cancelled, and does not call again who was', async () => {
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
  it('skips those that are pending bit by bit when it is cancelled', async () => {
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

describe('the limits of a campaign', () => {
  it('are its own calls at once', async () => {
    const my = await service();
    await my.campaign(5, { max_concurrent_calls: 2 });
    expect(my.live).toHaveLength(2);
    await my.talk(my.live[0]);
    expect([my.live.length, my.dialed.length]).toEqual([2, 3]);
  });

  it('are its calls in a minute', async () => {
    const my = await service();
    await my.campaign(10, { calls_per_minute: 4, max_concurrent_calls: 10 });
    const at: number[] = [];
    for (let second = 0; second < 90; second += 1) {
      while (at.length < my.dialed.length) at.push(second);
      await my.clock.advance(1_000);
    }
    expect(at).toEqual([0, 15, 30, 45, 60, 75]);
  });

  it('are the calls of its organization, whoever places them', async () => {
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

  it('are the calls of its trunk', async () => {
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

  it('are the calls of the process', async () => {
    const my = await service({}, { maxConcurrentCalls: 3 });
    await my.campaign(5, { max_concurrent_calls: 10 });
    await my.clock.advance(2_000);
    expect(my.live).toHaveLength(3);
    await my.talk(my.live[0]);
    await my.clock.advance(1_100);
    expect([my.live.length, my.dialed.length]).toEqual([3, 4]);
  });

  it('are shared fairly by campaigns and by organizations', async () => {
    const my = await service({}, { maxConcurrentCalls: 4 });
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
    // Half of what has been dialed since, though the others have six campaigns.
    expect(failed_leads + calling_leads).toBeGreaterThanOrEqual(5);
    expect(failed_leads + calling_leads).toBeLessThanOrEqual(7);
  });
});

describe('a campaign is paused, and says why,', () => {
  it.each([
    [
      'its agent is not active',
      'The agent is not active.',
      (my: CampaignService) => my.va.operations.agents.update(my.orgId, my.agentId, { is_active: false }),
    ],
    [
      'its agent is deleted',
      'The agent was deleted.',
      (my: CampaignService) => my.va.operations.agents.delete(my.orgId, my.agentId),
    ],
    [
      'there is no trunk',
      'The organization has no active number with an active SIP trunk to dial out from.',
      (my: CampaignService) => my.va.operations.trunks.delete(my.orgId, my.trunkId),
    ],
    [
      'there are no minutes',
      'The organization has no minutes left.',
      (my: CampaignService) => my.organization({ minutes_balance: 0 }),
    ],
  ])('where %s', async (_, reason, happen) => {
    const my = await service();
    const id = await my.campaign(1, { schedule_start_time: '10:30' });
    await happen(my);
    await my.clock.advance(31 * 60_000);
    expect(await my.get(id)).toMatchObject({ status: 'paused', status_reason: reason, pending_leads: 1 });
    expect(my.dialed).toEqual([]);
  });
});

describe('leads', () => {
  it('are called again after the delay, as often as the campaign says', async () => {
    const my = await service();
    const id = await my.campaign(1, { retry_on: ['no_answer'], max_attempts: 2, retry_delay_seconds: 600 });
    await my.refuse(my.live[0], 'no-answer');
    const next = { status: 'pending', attempts: 1, last_end_reason: 'no_answer' };
    expect(await my.leads(id)).toMatchObject([{ ...next, next_attempt_at: '2026-01-15T10:10:00.000Z' }]);
    await my.clock.advance(600_000 - 60);
    expect(my.dialed).toHaveLength(1);
    await my.clock.advance(60);
    expect(my.dialed).toHaveLength(2);
    await my.refuse(my.live[0], 'no-answer');
    expect(await my.leads(id)).toMatchObject([{ status: 'failed', attempts: 2, next_attempt_at: null }]);
    expect((await my.get(id)).status).toBe('completed');
  });

  it('that waited longest are called before those that were not called yet', async () => {
    const my = await service();
    await my.campaign(3, { retry_on: ['busy'], retry_delay_seconds: 0, max_concurrent_calls: 1 });
    await my.refuse(my.live[0], 'busy');
    expect(my.dialed).toEqual([lead(0), lead(0)]);
  });

  it('are spoken to as the campaign says, with values that are texts', async () => {
    const my = await service({ first_message: 'Hello {{name}}.' });
    const template = 'You call {{name}} at {{phone_number}} about {{topic}}, {{tone|kindly}}.';
    const variables = { topic: 'the {{name}} offer', tone: ' ' };
    await my.campaign([{ phone_number: lead(1), name: 'Ann', variables }], { system_message_template: template });
    const [call] = my.live;
    call?.pickUp();
    await my.clock.advance(2_000);
    const [record] = await my.calls();
    expect(record?.messages).toEqual([]);
    expect(record?.variables).toEqual({ name: 'Ann', phone_number: lead(1), topic: 'the {{name}} offer' });
    await my.va.operations.calls.control(my.orgId, record?.id ?? '', {
      type: 'inject-context',
      content: 'Go on.',
      trigger_response: true,
    });
    await my.clock.advance(3_000);
    const prompt = JSON.stringify(my.llm.requests[0]);
    expect(prompt).toContain(`You call Ann at ${lead(1)} about the {{name}} offer, kindly.`);
    expect(prompt).not.toContain('Be brief.');
  });

  it('without a variable that is needed are skipped, with its name', async () => {
    const my = await service();
    const leads = [
      { phone_number: lead(1), variables: { city: '' } },
      { phone_number: lead(2), variables: { city: 'Delft' } },
    ];
    const id = await my.campaign(leads, { system_message_template: 'You call {{name|somebody}} in {{city}}.' });
    expect(my.dialed).toEqual([lead(2)]);
    expect(await my.leads(id)).toMatchObject([
      {
        status: 'skipped',
        attempts: 0,
        last_end_reason: 'missing_variable',
        status_reason: 'The variable city is missing.',
      },
      { status: 'calling' },
    ]);
    expect(await my.get(id)).toMatchObject({ skipped_leads: 1, calling_leads: 1 });
  });

  it.each([
    ['first message', { first_message: 'Hello {{first_name}}.' }],
    [
      'system message',
      { llm_config: { provider: 'scripted', messages: [{ role: 'system', content: 'You call {{first_name}}.' }] } },
    ],
  ])('without a variable that the agent’s own %s needs are skipped', async (_, agent) => {
    const my = await service(agent);
    const id = await my.campaign([
      { phone_number: lead(1) },
      { phone_number: lead(2), variables: { first_name: 'Bo' } },
    ]);
    expect(my.dialed).toEqual([lead(2)]);
    expect((await my.leads(id))[0]).toMatchObject({
      status: 'skipped',
      status_reason: 'The variable first_name is missing.',
    });
  });

  it('need no variable of a system message in whose place the campaign’s stands', async () => {
    const messages = [{ role: 'system', content: 'You call {{first_name}}.' }];
    const my = await service({ llm_config: { provider: 'scripted', messages } });
    await my.campaign([{ phone_number: lead(1) }], { system_message_template: 'You call a customer.' });
    expect(my.dialed).toEqual([lead(1)]);
  });

  it('on the do-not-call list are skipped', async () => {
    const my = await service();
    await my.va.operations.doNotCall.add(my.orgId, { phone_number: lead(0) });
    const id = await my.campaign(2);
    expect(my.dialed).toEqual([lead(1)]);
    expect((await my.leads(id))[0]).toMatchObject({ status: 'skipped', last_end_reason: 'do_not_call' });
  });

  it('whom the host does not want called are skipped', async () => {
    const asked: object[] = [];
    const mayCall = (planned: { phoneNumber: string }): boolean => {
      asked.push(planned);
      return planned.phoneNumber !== lead(0);
    };
    const my = await service({}, { campaigns: { mayCall } });
    const id = await my.campaign(2, { retry_on: ['busy'], retry_delay_seconds: 60 });
    expect(my.dialed).toEqual([lead(1)]);
    expect((await my.leads(id))[0]).toMatchObject({ status: 'skipped', last_end_reason: 'do_not_call' });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toEqual({
      orgId: my.orgId,
      campaignId: id,
      leadId: expect.any(String),
      phoneNumber: lead(1),
      name: null,
      variables: {},
    });
    await my.refuse(my.live[0], 'busy');
    await my.clock.advance(60_000);
    expect([asked.length, my.dialed.length]).toEqual([3, 2]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no database')), 0],
    ['does not answer', () => new Promise<boolean>(() => {}), 5_000],
  ])('are not called now where the host’s hook %s, and later where it does', async (_, fail, waitMs) => {
    let answer: () => Promise<boolean> = fail;
    const my = await service({}, { campaigns: { mayCall: () => answer() } });
    const id = await my.campaign(1);
    await my.clock.advance(waitMs);
    expect(my.dialed).toEqual([]);
    expect(await my.leads(id)).toMatchObject([
      { status: 'pending', attempts: 0, status_reason: expect.stringContaining('host') },
    ]);
    answer = async () => true;
    await my.clock.advance(60_000);
    expect(my.dialed).toEqual([lead(0)]);
  });

  it('are not dialed whose campaign is paused while the host is asked', async () => {
    let allow: (answer: boolean) => void = () => {};
    const mayCall = (): Promise<boolean> => new Promise((resolve) => (allow = resolve));
    const my = await service({}, { campaigns: { mayCall } });
    const id = await my.campaign(1);
    expect(await statuses(my, id)).toEqual(['calling']);
    await my.va.operations.campaigns.update(my.orgId, id, { status: 'paused' });
    allow(true);
    await my.clock.advance(20);
    expect([my.dialed.length, ...(await statuses(my, id))]).toEqual([0, 'pending']);
  });
});

describe('a lead whose process died before it was dialed', () => {
  async function withTaken(my: CampaignService): Promise<string> {
    const id = await my.campaign(1, { schedule_start_time: '10:30' });
    const [taken] = await my.leads(id);
    const lost = { status: 'calling', call_id: null, next_attempt_at: '2026-01-15T10:00:59.000Z' } as const;
    await my.storage.leads.update(my.orgId, taken?.id ?? '', lost);
    await my.storage.campaigns.increment(my.orgId, id, { pending_leads: -1, calling_leads: 1 });
    return id;
  }

  it('is called by another one', async () => {
    const my = await service();
    const id = await withTaken(my);
    await my.clock.advance(50_000);
    expect(await statuses(my, id)).toEqual(['calling']);
    await my.clock.advance(50_000);
    expect(await my.get(id)).toMatchObject({ pending_leads: 1, calling_leads: 0 });
    await my.clock.advance(30 * 60_000);
    expect(my.dialed).toEqual([lead(0)]);
  });

  it('is skipped where its campaign was cancelled', async () => {
    const my = await service();
    const id = await withTaken(my);
    await my.va.operations.campaigns.update(my.orgId, id, { status: 'cancelled' });
    await my.clock.advance(100_000);
    expect(await my.get(id)).toMatchObject({ status: 'cancelled', skipped_leads: 1, calling_leads: 0 });
    expect(await statuses(my, id)).toEqual(['skipped']);
  });
});

describe('that a campaign changes', () => {
  it('is told to the customer’s server that asks for it', async () => {
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

  it('is told to nobody else', async () => {
    const my = await service({ webhook_url: 'https://customer.test/hook' });
    await my.campaign(1);
    expect(my.webhooks.of('campaign-update')).toEqual([]);
  });

  it('is told to the host, and to who watches it', async () => {
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

describe('a process that closes', () => {
  it('dials nobody any more', async () => {
    const my = await service();
    const id = await my.campaign(2, { max_concurrent_calls: 1 });
    const closing = my.va.close({ drainMs: 1_000 });
    await my.refuse(my.live[0], 'busy');
    await my.clock.advance(5_000);
    await closing;
    expect([my.dialed.length, id.length]).toEqual([1, 36]);
  });
});

import { describe, expect, it } from 'vitest';
import { type CampaignService, lead } from './campaign-service.ts';
import { campaignServices, statuses } from './campaign-services.ts';

const service = campaignServices();

describe('leads', () => {
  it('are retried after retry_delay_seconds, up to max_attempts', async () => {
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

  it('are called before first attempts when they wait for a retry', async () => {
    const my = await service();
    await my.campaign(3, { retry_on: ['busy'], retry_delay_seconds: 0, max_concurrent_calls: 1 });
    await my.refuse(my.live[0], 'busy');
    expect(my.dialed).toEqual([lead(0), lead(0)]);
  });

  it('are called with the system_message_template of the campaign, whose values are not expanded again', async () => {
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

  it('are skipped when a required variable is missing, which status_reason names', async () => {
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
    ['voicemail message', { voicemail_detection: true, voicemail_message: '{{first_name}}, please call us back.' }],
    [
      'system message',
      { llm_config: { provider: 'scripted', messages: [{ role: 'system', content: 'You call {{first_name}}.' }] } },
    ],
  ])('are skipped when a variable of the agent’s %s is missing', async (_, agent) => {
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

  it('need no variables of a system message that the campaign replaces', async () => {
    const messages = [{ role: 'system', content: 'You call {{first_name}}.' }];
    const my = await service({ llm_config: { provider: 'scripted', messages } });
    await my.campaign([{ phone_number: lead(1) }], { system_message_template: 'You call a customer.' });
    expect(my.dialed).toEqual([lead(1)]);
  });

  it('are skipped when they are on the do-not-call list', async () => {
    const my = await service();
    await my.va.operations.doNotCall.add(my.orgId, { phone_number: lead(0) });
    const id = await my.campaign(2);
    expect(my.dialed).toEqual([lead(1)]);
    expect((await my.leads(id))[0]).toMatchObject({ status: 'skipped', last_end_reason: 'do_not_call' });
  });

  it('are skipped when the mayCall hook refuses the call', async () => {
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
    ['times out', () => new Promise<boolean>(() => {}), 5_000],
  ])('are postponed when the mayCall hook %s', async (_, fail, waitMs) => {
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

  it('are not dialed when their campaign is paused during the mayCall hook', async () => {
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

  it('is dialed by another process', async () => {
    const my = await service();
    const id = await withTaken(my);
    await my.clock.advance(50_000);
    expect(await statuses(my, id)).toEqual(['calling']);
    await my.clock.advance(50_000);
    expect(await my.get(id)).toMatchObject({ pending_leads: 1, calling_leads: 0 });
    await my.clock.advance(30 * 60_000);
    expect(my.dialed).toEqual([lead(0)]);
  });

  it('is skipped when its campaign was cancelled', async () => {
    const my = await service();
    const id = await withTaken(my);
    await my.va.operations.campaigns.update(my.orgId, id, { status: 'cancelled' });
    await my.clock.advance(100_000);
    expect(await my.get(id)).toMatchObject({ status: 'cancelled', skipped_leads: 1, calling_leads: 0 });
    expect(await statuses(my, id)).toEqual(['skipped']);
  });
});

import type { Call, VoiceAgentsOptions } from '@va/core';
import type { Vault } from '@va/core/adapter';
import { callerFrame } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { faultsOf, refusal } from '../../operations/support.ts';
import { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';
import { untyped } from '../../support/untyped.ts';

const { keep } = phoneCalls();
const destination = '+31687654321';
const scripted = { provider: 'scripted' };
const scriptedConfigs = { stt_config: scripted, llm_config: scripted, tts_config: scripted };
const unknownId = '00000000-0000-7000-8000-0000000000ff';

/** Creates a service with an agent and a number that belongs to a trunk. */
async function service(agent: Record<string, unknown> = {}, options: Partial<VoiceAgentsOptions> = {}) {
  const secrets = new Map<string, string>();
  const vault: Vault = {
    put: async ({ id, value }) => void secrets.set(id, value),
    get: async ({ id }) => secrets.get(id) ?? null,
    delete: async ({ id }) => secrets.delete(id),
  };
  const call = keep(new PhoneCall({ service: { vault, ...options } }));
  await call.prepare(agent);
  const { operations } = call.va;
  const [number] = await operations.numbers.list(call.orgId);
  const trunk = await operations.trunks.create(call.orgId, {
    name: 'Main',
    provider: 'acme',
    address: 'sip.example.com',
    auth_username: 'acme',
    auth_password: 'hunter22',
    numbers: [number?.number ?? ''],
  });
  return Object.assign(call, {
    agentId: call.agent?.id ?? '',
    numberId: number?.id ?? '',
    trunkId: trunk.id,
    secrets,
  });
}

/** Places a call and waits until it is dialed. */
async function place(options: Record<string, unknown> = {}, agent: Record<string, unknown> = {}) {
  const call = await service(agent);
  const { call_id: id } = await call.va.operations.calls.place(call.orgId, {
    destination,
    agent_id: call.agentId,
    ...options,
  });
  await call.nothing(20);
  const [far] = call.telephony.dialed;
  const stored = async (): Promise<Call> => await call.va.operations.calls.get(call.orgId, id);
  const hear = async (ms: number, isSpeech: boolean): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 20) {
      far?.hear(callerFrame(isSpeech));
      await call.nothing(20);
    }
  };
  if (far === undefined) throw new Error('no call was dialed');
  return { call, id, far, stored, hear };
}

describe('digits after the answer of an outbound call', () => {
  it('are pressed before the agent speaks or listens', async () => {
    const { far, call, hear } = await place({ send_digits: 'w204' }, { first_message: 'Hello, this is Anna.' });
    far.pickUp();
    await hear(100, true);
    expect(far.pressed).toEqual([{ digits: 'w204', toneMs: 100 }]);
    // Half a second of pause, and three tones of 200 ms each with their repetitions and gaps.
    await hear(900, true);
    expect(call.tts.utterances).toEqual([]);
    expect(call.stt.streams.map(({ received }) => received)).toEqual([0]);
    await hear(1_500, false);
    expect(call.tts.utterances).toEqual([['Hello,', 'this is Anna.']]);
  });

  it('do not keep a call that is hung up meanwhile', async () => {
    const { far, call, stored, hear } = await place({ send_digits: 'WWWWWWWWWW1' });
    far.pickUp();
    await hear(1_000, false);
    far.leave();
    await call.nothing(20_000);
    expect(await stored()).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
    expect(call.va.activeCalls).toBe(0);
  });
});

describe('an outbound call', () => {
  it('is dialed at once through the trunk of its number, with the password from the vault', async () => {
    const { call, far, stored } = await place({ destination: '+31 6 87654321', metadata: { crm: 7 } });
    expect(far.request).toEqual({
      callId: expect.any(String),
      destination,
      callerNumber: '+31201234567',
      trunk: {
        id: call.trunkId,
        address: 'sip.example.com',
        transport: 'udp',
        mediaSource: null,
        credentials: { username: 'acme', password: 'hunter22' },
      },
    });
    expect(await stored()).toMatchObject({
      direction: 'outbound',
      status: 'connecting',
      caller_phone: destination,
      assistant_phone: '+31201234567',
      agent_id: call.agentId,
      agent_name: 'Anna',
      metadata: { crm: 7 },
    });
  });

  it('runs the conversation when the callee answers', async () => {
    const { call, far, stored, hear } = await place(
      { variables: { name: 'Ann' } },
      { first_message: 'Hi {{name}}, this is Anna.', voicemail_detection: false },
    );
    await call.nothing(3_000);
    far.pickUp();
    await hear(2_500, false);
    expect(await stored()).toMatchObject({ status: 'in-progress', answered_at: expect.any(String) });
    await hear(800, true);
    call.stt.streams[0]?.emit({ type: 'final', text: 'Yes, speaking.' });
    await hear(2_000, false);
    far.leave();
    await call.nothing(100);
    expect(await stored()).toMatchObject({
      status: 'ended',
      end_reason: 'user_hangup',
      duration_seconds: 5,
      messages: [{ content: 'Hi Ann, this is Anna.' }, { role: 'user' }, { content: 'All right.' }],
    });
    expect(call.webhooks.events).toEqual(['status-update', 'status-update', 'end-of-call-report']);
    const statuses = call.webhooks.of('status-update').map((message) => message.call);
    expect(statuses).toMatchObject([{ type: 'outboundPhoneCall', status: 'in-progress' }, { status: 'ended' }]);
    expect(await call.va.operations.usage.list(call.orgId)).toMatchObject({
      logs: [{ direction: 'outbound', duration_seconds: 5 }],
    });
  });

  it('greets on the first audio of the callee, or 500 ms after the answer', async () => {
    const agent = { first_message: 'Hello.', voicemail_detection: false };
    const greetedAfter = async (firstFrameMs: number): Promise<number> => {
      const { call, far } = await place({}, agent);
      far.pickUp();
      await call.nothing(0);
      const answeredAtMs = call.clock.nowMs();
      for (let ms = 0; ms < 1_000; ms += 20) {
        if (ms >= firstFrameMs) far.hear(callerFrame(false));
        await call.nothing(20);
        if (far.sent.some((frame) => frame.some((code) => code !== 0xff))) break;
      }
      // Silence is sent from the answer on.
      expect(far.sent.length).toBeGreaterThanOrEqual((call.clock.nowMs() - answeredAtMs) / 20 - 1);
      return call.clock.nowMs() - answeredAtMs;
    };
    expect([await greetedAfter(0), await greetedAfter(200), await greetedAfter(2_000)]).toEqual([20, 220, 500]);
  });

  it('leaves the voicemail message with its variables filled in, and hangs up', async () => {
    const { far, stored, hear, call } = await place(
      { variables: { name: 'Ann' } },
      { first_message: 'Hello!', voicemail_message: '{{name}}, please call us back{{when}}.' },
    );
    far.pickUp();
    await hear(200, false);
    await hear(4_000, true);
    call.stt.streams[0]?.emit({ type: 'partial', text: 'You have reached the voicemail of Ann, leave a message' });
    await hear(9_000, false);
    expect(await stored()).toMatchObject({
      status: 'ended',
      end_reason: 'voicemail',
      messages: expect.arrayContaining([expect.objectContaining({ content: 'Ann, please call us back.' })]),
    });
  });

  it.each([
    ['busy', 'busy'],
    ['no-answer', 'no_answer'],
    ['declined', 'declined'],
    ['invalid-destination', 'invalid_destination'],
    ['failed', 'dial_failed'],
  ] as const)('refused as %s fails with %s', async (why, reason) => {
    const { call, far, stored } = await place();
    await call.nothing(2_000);
    far.refuse(why, '486 Busy Here');
    await call.nothing(100);
    expect(await stored()).toMatchObject({
      status: 'failed',
      end_reason: reason,
      error: '486 Busy Here',
      answered_at: null,
      duration_seconds: 0,
    });
    expect(call.webhooks.events).toEqual(['status-update', 'end-of-call-report']);
    expect(await call.va.operations.usage.list(call.orgId)).toMatchObject({ logs: [] });
    expect(call.stt.streams).toHaveLength(0);
  });

  it('hangs up when ring_timeout_seconds has passed', async () => {
    const { call, far, stored } = await place({ ring_timeout_seconds: 12 });
    await call.nothing(11_900);
    expect([far.end, (await stored()).status]).toEqual([null, 'connecting']);
    await call.nothing(200);
    expect(far.end).toEqual({ cause: 'local-hangup' });
    expect(await stored()).toMatchObject({ status: 'failed', end_reason: 'no_answer' });
  });

  it('is canceled by end-call while it rings', async () => {
    const { call, id, far, stored } = await place();
    await call.va.operations.calls.control(call.orgId, id, { type: 'end-call' });
    await call.nothing(100);
    expect(far.end).toEqual({ cause: 'local-hangup' });
    expect(await stored()).toMatchObject({ status: 'ended', end_reason: 'canceled' });
  });

  it('ends with service_shutdown when the service closes', async () => {
    const { call, far } = await place();
    await call.close();
    expect(far.end).not.toBeNull();
    expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'service_shutdown' });
  });

  it('fails with dial_failed when the password of its trunk is missing from the vault', async () => {
    const call = await service();
    const vault = call.secrets;
    vault.clear();
    const { call_id } = await call.va.operations.calls.place(call.orgId, { destination, agent_id: call.agentId });
    await call.nothing(100);
    expect(call.telephony.dialed).toEqual([]);
    expect(await call.va.operations.calls.get(call.orgId, call_id)).toMatchObject({
      status: 'failed',
      end_reason: 'dial_failed',
      error: expect.stringContaining('not in the vault'),
    });
  });

  it('fails with dial_failed when no telephony adapter can place calls', async () => {
    const answering = { id: 'receiver', start: async () => {}, close: async () => {} };
    const call = await service({}, { telephony: [answering] });
    const { call_id } = await call.va.operations.calls.place(call.orgId, { destination, agent_id: call.agentId });
    await call.nothing(100);
    expect(await call.va.operations.calls.get(call.orgId, call_id)).toMatchObject({
      status: 'failed',
      end_reason: 'dial_failed',
      error: expect.stringContaining('telephony'),
    });
  });
});

describe('calls.place', () => {
  it('accepts an inline agent instead of a saved one, and a SIP address', async () => {
    const call = await service();
    const { call_id } = await call.va.operations.calls.place(call.orgId, {
      destination: 'sip:desk@example.com',
      agent: { name: 'Temp', ...scriptedConfigs },
      number_id: call.numberId,
    });
    const record = await call.va.operations.calls.get(call.orgId, call_id);
    expect(record).toMatchObject({ agent_id: null, agent_name: 'Temp', caller_phone: 'sip:desk@example.com' });
  });

  it.each([
    [{}, ['destination missing_field', 'agent_id missing_field']],
    [{ destination: 'nobody', agent_id: unknownId }, ['destination invalid_phone_number']],
    [{ destination, agent_id: unknownId }, ['agent_id invalid_reference']],
    [{ destination, agent_id: unknownId, agent: {} }, ['agent invalid_field']],
    [{ destination, agent: {}, agent_override: {} }, ['agent_override invalid_field']],
    [{ destination, agent: {}, number_id: unknownId }, ['number_id invalid_reference']],
    [{ destination, agent: { max_duration_seconds: 1 } }, ['agent.max_duration_seconds invalid_field']],
  ])('refuses %j', async (input, faults) => {
    const call = await service();
    const error = await refusal(call.va.operations.calls.place(call.orgId, untyped(input)));
    expect([error.status, faultsOf(error)]).toEqual([400, faults]);
  });

  it('requires an active agent, a number, a trunk, minutes and a free call slot', async () => {
    const call = await service();
    const { operations } = call.va;
    const place = async (input: Record<string, unknown> = {}): Promise<unknown[]> => {
      const error = await refusal(
        operations.calls.place(call.orgId, { destination, agent_id: call.agentId, ...input }),
      );
      return [error.status, error.code];
    };
    await operations.organizations.update(call.orgId, { minutes_balance: 0 });
    expect(await place()).toEqual([402, 'insufficient_credits']);
    await operations.organizations.update(call.orgId, { minutes_balance: null, concurrency_limit: 1 });
    await call.dial();
    expect(await place()).toEqual([429, 'concurrency_limit_exceeded']);
    await operations.organizations.update(call.orgId, { concurrency_limit: null });
    await operations.trunks.update(call.orgId, call.trunkId, { is_active: false });
    expect(await place({ number_id: call.numberId })).toEqual([422, 'no_trunk']);
    expect(await place()).toEqual([422, 'no_outbound_number']);
    await operations.agents.update(call.orgId, call.agentId, { is_active: false });
    expect(await place()).toEqual([409, 'agent_inactive']);
  });
});

describe('usage of a call', () => {
  it('is logged when the call ends, and deducted from minutes_balance', async () => {
    const call = keep(new PhoneCall({ service: { pricing: { currency: 'EUR', perMinute: 0.12 } } }));
    await call.prepare();
    const { operations } = call.va;
    await operations.organizations.update(call.orgId, { minutes_balance: 10 });
    await call.dial();
    await call.quiet(5_000);
    call.incoming.leave();
    await call.quiet(100);
    const { id, duration_seconds, cost } = await call.stored();
    expect([duration_seconds, cost]).toEqual([5, 0.01]);
    const { logs, summary, pagination } = await operations.usage.list(call.orgId);
    expect(logs).toEqual([
      expect.objectContaining({ call_id: id, duration_seconds: 5, minutes_used: 0.0833, cost: 0.01, currency: 'EUR' }),
    ]);
    expect(summary).toEqual({
      total_calls: 1,
      total_duration_seconds: 5,
      total_duration_minutes: 0.08,
      total_cost: 0.01,
      breakdown: expect.arrayContaining([
        {
          provider: 'telephony',
          model: null,
          kind: 'call_minutes',
          unit: 'minute',
          own_key: false,
          quantity: 0.0833,
          price: 0.01,
        },
      ]),
    });
    expect(pagination.total).toBe(1);
    const organization = await operations.organizations.get(call.orgId);
    expect(organization.minutes_balance).toBeCloseTo(9.9167, 4);
    expect(organization.monthly_usage_minutes).toBe(0.08);
  });
});

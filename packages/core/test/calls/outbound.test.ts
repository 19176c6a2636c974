import { describe, expect, it } from 'vitest';
import { faultsOf, refusal } from '../operations/support.ts';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();
const destination = '+31687654321';
const unknownId = '00000000-0000-7000-8000-0000000000ff';

/** A service with an agent on a number that a trunk carries. */
async function service(): Promise<PhoneCall & { agentId: string; numberId: string; trunkId: string }> {
  const call = keep(new PhoneCall());
  await call.prepare();
  const { operations } = call.va;
  const [number] = await operations.numbers.list(call.orgId);
  const trunk = await operations.trunks.create(call.orgId, {
    name: 'Main',
    provider: 'acme',
    address: 'sip.example.com',
    numbers: [number?.number],
  });
  return Object.assign(call, { agentId: call.agent?.id ?? '', numberId: number?.id ?? '', trunkId: trunk.id });
}

describe('placing a call', () => {
  it('is recorded, and ends as failed while no telephony adapter can dial', async () => {
    const call = await service();
    const answer = await call.va.operations.calls.place(call.orgId, {
      destination: '+31 6 87654321',
      agent_id: call.agentId,
      variables: { name: 'Ann' },
      metadata: { crm: 7 },
    });
    expect(answer).toMatchObject({ success: true, status: 'dialing', room_name: `call-${answer.call_id}` });
    await call.nothing(100);
    expect(await call.va.operations.calls.get(call.orgId, answer.call_id)).toMatchObject({
      direction: 'outbound',
      status: 'failed',
      end_reason: 'dial_failed',
      error: expect.stringContaining('telephony'),
      caller_phone: destination,
      assistant_phone: '+31201234567',
      agent_id: call.agentId,
      agent_name: 'Anna',
      variables: { name: 'Ann' },
      metadata: { crm: 7 },
    });
    expect(call.webhooks.events).toEqual(['status-update', 'end-of-call-report']);
    expect(call.webhooks.of('status-update')[0]).toMatchObject({
      call: { type: 'outboundPhoneCall', status: 'ended-with-error' },
      customer: { number: destination },
      metadata: { crm: 7 },
    });
    expect(await call.va.operations.usage.list(call.orgId)).toMatchObject({ logs: [] });
  });

  it('takes a whole agent in the place of a saved one, and a SIP address', async () => {
    const call = await service();
    const { call_id } = await call.va.operations.calls.place(call.orgId, {
      destination: 'sip:desk@example.com',
      agent: { name: 'Temp', stt_config: { provider: 'scripted' } },
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
    const error = await refusal(call.va.operations.calls.place(call.orgId, input));
    expect([error.status, faultsOf(error)]).toEqual([400, faults]);
  });

  it('needs an active agent, a number, a trunk, minutes and room', async () => {
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

describe('the usage of a call', () => {
  it('is logged with its end, and taken off the balance', async () => {
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
    });
    expect(pagination.total).toBe(1);
    const organization = await operations.organizations.get(call.orgId);
    expect(organization.minutes_balance).toBeCloseTo(9.9167, 4);
    expect(organization.monthly_usage_minutes).toBe(0.08);
  });
});

import { ScriptedIncomingCall, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { dialedNumber, PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';
import { addTransferTrunk } from '../support/transfer-trunk.ts';

const { keep } = phoneCalls();

/** EUR 1 per minute; nothing else has a price. */
const pricing = { currency: 'EUR', perMinute: 1 };
const mediaTimeout = { initialMs: 1e9, generalMs: 1e9 };
const patient = { speech_config: { silence: { timeout_ms: 600_000 } } };

async function prepared(credit: number, agent: Record<string, unknown> = {}): Promise<PhoneCall> {
  const call = keep(new PhoneCall({ service: { mediaTimeout, pricing } }));
  await call.prepare({ ...patient, ...agent });
  await call.va.operations.organizations.update(call.orgId, { credit_balance: credit });
  return call;
}

async function creditOf(call: PhoneCall): Promise<number | null> {
  return (await call.va.operations.organizations.get(call.orgId)).credit_balance;
}

async function endOf(call: PhoneCall, n: number): Promise<unknown[]> {
  const { calls } = await call.va.operations.calls.list(call.orgId, {});
  const { status, end_reason } = calls.at(-1 - n) ?? {};
  return [status, end_reason];
}

function idOf(call: PhoneCall): string {
  return call.agent?.id ?? '';
}

function budgetEvents(call: PhoneCall): unknown[] {
  return call.events.flatMap((event) => (event.type === 'budget' ? [event.data] : []));
}

describe('credit_balance', () => {
  it('rejects and reports inbound calls when it is used up', async () => {
    const call = await prepared(0);
    await call.dial();
    await call.nothing(100);
    expect(call.incoming.rejected).toBe('unavailable');
    expect(await call.stored()).toMatchObject({ status: 'failed', end_reason: 'insufficient_credits' });
    expect(await creditOf(call)).toBe(0);
  });

  it('refuses outbound calls with 402 when it is used up', async () => {
    const call = await prepared(0);
    await addTransferTrunk(call);
    const placing = call.va.operations.calls.place(call.orgId, {
      destination: '+31201234567',
      agent_id: idOf(call),
    });
    await expect(placing).rejects.toMatchObject({ status: 402, code: 'insufficient_credits' });
  });

  it('warns a call, ends it with a closing sentence when it runs out, and is charged', async () => {
    const call = await prepared(0.5);
    await call.dial();
    await call.nothing(23_000);
    expect(budgetEvents(call)).toEqual([]);
    await call.nothing(2_000);
    expect(budgetEvents(call)).toMatchObject([{ scope: 'organization', level: 'warning', limit: 0.5 }]);
    await call.nothing(4_000);
    expect((await call.stored()).status).toBe('in-progress');
    await call.nothing(6_000);
    const stored = await call.stored();
    expect(stored).toMatchObject({ status: 'ended', end_reason: 'budget_exceeded', error: null });
    expect(stored.messages.at(-1)?.content).toContain('I have to end our call now');
    expect(budgetEvents(call)).toMatchObject([{ level: 'warning' }, { level: 'reached', limit: 0.5 }]);
    expect(await creditOf(call)).toBeCloseTo(0.5 - (stored.cost ?? 0), 6);
  });

  it('is shared by concurrent calls', async () => {
    const call = await prepared(1);
    await call.dial();
    await call.nothing(20_000);
    await call.dial(new ScriptedIncomingCall({ to: dialedNumber }));
    await call.nothing(18_000);
    expect(call.va.activeCalls).toBe(2);
    await call.nothing(8_000);
    expect(await endOf(call, 0)).toEqual(['ended', 'budget_exceeded']);
    expect(await endOf(call, 1)).toEqual(['ended', 'budget_exceeded']);
    expect(await creditOf(call)).toBeGreaterThan(-0.3);
  });

  it('counts a call once when it ends beside another one', async () => {
    const call = await prepared(1);
    await call.dial();
    const other = new ScriptedIncomingCall({ to: dialedNumber });
    await call.dial(other);
    await call.nothing(10_000);
    other.leave();
    await call.nothing(38_000);
    expect(call.va.activeCalls).toBe(1);
    await call.nothing(8_000);
    expect(await endOf(call, 0)).toEqual(['ended', 'budget_exceeded']);
  });

  it('extends a live call when it is increased', async () => {
    const call = await prepared(0.5);
    await call.dial();
    await call.nothing(20_000);
    await call.va.operations.organizations.update(call.orgId, { credit_balance: 1 });
    await call.nothing(38_000);
    expect((await call.stored()).status).toBe('in-progress');
    await call.nothing(8_000);
    expect((await call.stored()).end_reason).toBe('budget_exceeded');
  });

  it('ends a transfer through the service when it runs out, and is charged for it', async () => {
    const call = await prepared(1);
    await addTransferTrunk(call);
    await call.dial();
    await call.nothing(10_000);
    await call.control({ type: 'transfer', destination: '+31200000001', mode: 'blind' });
    await call.quiet(1_000);
    call.telephony.dialed[0]?.pickUp();
    await call.quiet(100);
    await call.nothing(46_000);
    expect(call.incoming.end).toBeNull();
    await call.nothing(5_000);
    expect(call.incoming.end).toEqual({ cause: 'local-hangup' });
    expect(await endOf(call, 0)).toEqual(['ended', 'transferred']);
    expect(await creditOf(call)).toBeCloseTo(0, 1);
  });

  it('is charged for the analysis after the call', async () => {
    const llm = scriptedLlm([
      [{ type: 'usage', usage: { inputTokens: 0, outputTokens: 100 } }, ...saying('It is open.')],
    ]);
    const prices = [{ provider: 'scripted', kind: 'output_tokens', price: 0.01, per: 'token' }] as const;
    const call = keep(
      new PhoneCall({ llm, stt: scriptedStt({ turns: ['is it open'] }), service: { currency: 'EUR', prices } }),
    );
    await call.prepare({ first_message: 'Hello.' });
    await call.va.operations.organizations.update(call.orgId, { credit_balance: 10 });
    await call.dial();
    await call.quiet(1_000);
    await call.speak(400);
    await call.quiet(2_000);
    call.incoming.leave();
    await call.quiet(2_000);
    const stored = await call.stored();
    expect(stored.analysis_status).not.toBeNull();
    // One reply, and the analysis.
    expect(stored.cost).toBe(2);
    expect(await creditOf(call)).toBe(8);
  });

  it('is refused without prices', async () => {
    const call = keep(new PhoneCall());
    await call.prepare(patient);
    await expect(call.va.operations.organizations.update(call.orgId, { credit_balance: 5 })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_field',
    });
  });
});

describe('budget', () => {
  const budget = { max_cost: 0.2 };

  it('of an agent is stored with its defaults, and refused without prices', async () => {
    const call = await prepared(100, { budget });
    const stored = await call.va.operations.agents.get(call.orgId, idOf(call));
    expect(stored.budget).toEqual({ max_cost: 0.2, warn_at: 0.8, message: null });
    const free = keep(new PhoneCall());
    await expect(free.prepare({ budget })).rejects.toMatchObject({
      status: 400,
      faults: [{ path: 'budget', code: 'invalid_field' }],
    });
  });

  it.each([
    ['no cost', { max_cost: 0 }],
    ['a cost that is no cost of a call', { max_cost: 2e6 }],
    ['a share above 1', { max_cost: 1, warn_at: 1.1 }],
    ['a message above 1000 characters', { max_cost: 1, message: 'x'.repeat(1_001) }],
  ])('of an agent is refused with %s', async (_case, given) => {
    const call = await prepared(100);
    const update = call.va.operations.agents.update(call.orgId, idOf(call), { budget: given });
    await expect(update).rejects.toMatchObject({ status: 400 });
  });

  it('ends a call of that agent, whose events and log have it', async () => {
    const call = await prepared(100, { budget: { ...budget, message: 'Time is up.' } });
    await call.dial();
    await call.nothing(16_000);
    const stored = await call.stored();
    expect(stored).toMatchObject({ status: 'ended', end_reason: 'budget_exceeded' });
    expect(budgetEvents(call)).toEqual([
      { scope: 'call', level: 'warning', cost: 0.166667, limit: 0.2 },
      { scope: 'call', level: 'reached', cost: 0.2, limit: 0.2 },
    ]);
  });

  it('of an outbound call replaces that of its agent', async () => {
    const call = await prepared(100, { budget: { max_cost: 50 }, voicemail_detection: false });
    await addTransferTrunk(call);
    const [trunk] = await call.va.operations.trunks.list(call.orgId);
    const [number] = await call.va.operations.numbers.list(call.orgId);
    await call.va.operations.trunks.update(call.orgId, trunk?.id ?? '', { numbers: [number?.number ?? ''] });
    const { call_id: id } = await call.va.operations.calls.place(call.orgId, {
      destination: '+31687654321',
      agent_id: idOf(call),
      budget,
    });
    await call.nothing(20);
    call.telephony.dialed[0]?.pickUp();
    await call.nothing(20_000);
    expect(await call.va.operations.calls.get(call.orgId, id)).toMatchObject({ end_reason: 'budget_exceeded' });
  });
});

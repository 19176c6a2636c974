import { ScriptedIncomingCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { dialedNumber, PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';
import { addTransferTrunk } from '../support/transfer-trunk.ts';

const { keep } = phoneCalls();

/** Keeps a silent caller connected. */
const patient = { speech_config: { silence: { timeout_ms: 600_000 } } };

async function prepared(limits: Record<string, unknown>): Promise<PhoneCall> {
  const call = keep(new PhoneCall({ service: { mediaTimeout: { initialMs: 1e9, generalMs: 1e9 } } }));
  await call.prepare(patient);
  await call.va.operations.organizations.update(call.orgId, limits);
  return call;
}

async function balance(call: PhoneCall): Promise<number | null> {
  return (await call.va.operations.organizations.get(call.orgId)).minutes_balance;
}

async function endOf(call: PhoneCall, n: number): Promise<unknown[]> {
  const { calls } = await call.va.operations.calls.list(call.orgId, {});
  const { status, end_reason, duration_seconds } = calls.at(-1 - n) ?? {};
  return [status, end_reason, duration_seconds];
}

describe('minutes_balance', () => {
  it('rejects and reports inbound calls when it is used up', async () => {
    const call = await prepared({ minutes_balance: 0 });
    await call.dial();
    await call.nothing(100);
    expect(call.incoming.rejected).toBe('unavailable');
    expect(await call.stored()).toMatchObject({
      status: 'failed',
      end_reason: 'insufficient_credits',
      answered_at: null,
    });
    expect(call.webhooks.events).toEqual(['status-update', 'end-of-call-report']);
    expect(await balance(call)).toBe(0);
  });

  it('ends a call when it runs out', async () => {
    const call = await prepared({ minutes_balance: 0.5 });
    await call.dial();
    await call.nothing(29_000);
    expect((await call.stored()).status).toBe('in-progress');
    await call.nothing(2_000);
    expect(await endOf(call, 0)).toEqual(['failed', 'insufficient_credits', 30]);
    expect(await balance(call)).toBeCloseTo(0, 3);
  });

  it('is shared by concurrent calls and never overdrawn', async () => {
    const call = await prepared({ minutes_balance: 1 });
    await call.dial();
    await call.nothing(20_000);
    await call.dial(new ScriptedIncomingCall({ to: dialedNumber }));
    await call.nothing(19_000);
    expect(call.va.activeCalls).toBe(2);
    await call.nothing(2_000);
    expect(await endOf(call, 0)).toEqual(['failed', 'insufficient_credits', 40]);
    expect(await endOf(call, 1)).toEqual(['failed', 'insufficient_credits', 20]);
    expect(await balance(call)).toBeCloseTo(0, 2);
  });

  it('lasts longer for a call when a concurrent one ends', async () => {
    const call = await prepared({ minutes_balance: 1 });
    await call.dial();
    const other = new ScriptedIncomingCall({ to: dialedNumber });
    await call.dial(other);
    await call.nothing(10_000);
    other.leave();
    await call.nothing(39_000);
    expect(call.va.activeCalls).toBe(1);
    await call.nothing(2_000);
    expect((await endOf(call, 0)).slice(0, 2)).toEqual(['failed', 'insufficient_credits']);
    expect(await balance(call)).toBeCloseTo(0, 1);
  });

  it('extends a live call when it is increased', async () => {
    const call = await prepared({ minutes_balance: 0.5 });
    await call.dial();
    await call.nothing(20_000);
    await call.va.operations.organizations.update(call.orgId, { minutes_balance: 1 });
    await call.nothing(39_000);
    expect((await call.stored()).status).toBe('in-progress');
    await call.nothing(2_000);
    expect((await call.stored()).end_reason).toBe('insufficient_credits');
  });
});

describe('minutes_balance after a transfer through the service', () => {
  const desk = '+31200000001';

  async function connected(minutes: number): Promise<PhoneCall> {
    const call = await prepared({ minutes_balance: minutes });
    await addTransferTrunk(call);
    await call.dial();
    await call.nothing(10_000);
    await call.control({ type: 'transfer', destination: desk, mode: 'blind' });
    await call.quiet(1_000);
    call.telephony.dialed[0]?.pickUp();
    await call.quiet(100);
    return call;
  }

  it('ends the transfer when it runs out, and leaves the record as transferred', async () => {
    const call = await connected(1);
    await call.nothing(47_000);
    expect([call.incoming.end, call.va.activeCalls]).toEqual([null, 1]);
    await call.nothing(3_000);
    expect(call.incoming.end).toEqual({ cause: 'local-hangup' });
    expect(call.telephony.dialed[0]?.end).toEqual({ cause: 'local-hangup' });
    expect((await endOf(call, 0)).slice(0, 2)).toEqual(['ended', 'transferred']);
    expect(await balance(call)).toBeCloseTo(0, 1);
  });

  it('is shared with live calls', async () => {
    const call = await connected(1);
    const other = new ScriptedIncomingCall({ to: dialedNumber });
    await call.dial(other);
    await call.nothing(23_000);
    expect([call.incoming.end, call.va.activeCalls]).toEqual([null, 2]);
    await call.nothing(3_000);
    expect([call.incoming.end, other.end]).toEqual([{ cause: 'local-hangup' }, { cause: 'local-hangup' }]);
    expect((await endOf(call, 1)).slice(0, 2)).toEqual(['failed', 'insufficient_credits']);
    expect(await balance(call)).toBeCloseTo(0, 1);
  });

  it('extends the transfer when it is increased', async () => {
    const call = await connected(1);
    await call.nothing(20_000);
    await call.va.operations.organizations.update(call.orgId, { minutes_balance: 2 });
    await call.nothing(60_000);
    expect([call.incoming.end, call.va.activeCalls]).toEqual([null, 1]);
    await call.nothing(60_000);
    expect(call.incoming.end).toEqual({ cause: 'local-hangup' });
  });
});

describe('concurrency_limit', () => {
  it('rejects calls beyond it as busy, and admits calls again after one has ended', async () => {
    const call = await prepared({ concurrency_limit: 2 });
    const callers = Array.from({ length: 5 }, () => new ScriptedIncomingCall({ to: dialedNumber }));
    for (const each of callers) call.telephony.ring(each);
    await call.nothing(2_000);
    expect(callers.map(({ rejected }) => rejected)).toEqual([null, null, 'busy', 'busy', 'busy']);
    const { calls } = await call.va.operations.calls.list(call.orgId, { end_reason: 'concurrency_limit_exceeded' });
    expect(calls.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    callers[0]?.leave();
    await call.nothing(2_000);
    const next = new ScriptedIncomingCall({ to: dialedNumber });
    await call.dial(next);
    await call.nothing(2_000);
    expect(next.answered).toBe(true);
  });
});

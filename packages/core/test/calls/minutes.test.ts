import { ScriptedIncomingCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { dialedNumber, PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';
import { addTransferTrunk } from '../support/transfer-trunk.ts';

const { keep } = phoneCalls();

/** The caller is heard, and says nothing. */
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

describe('the minutes of an organization', () => {
  it('that are used up let no call in: the caller is told, and the customer too', async () => {
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

  it('end a call when they run out', async () => {
    const call = await prepared({ minutes_balance: 0.5 });
    await call.dial();
    await call.nothing(29_000);
    expect((await call.stored()).status).toBe('in-progress');
    await call.nothing(2_000);
    expect(await endOf(call, 0)).toEqual(['failed', 'insufficient_credits', 30]);
    expect(await balance(call)).toBeCloseTo(0, 3);
  });

  it('are shared by the calls that go on at once, and no more of them are used than there are', async () => {
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

  it('last longer when one of two calls ends', async () => {
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

  it('that are bought during a call let it go on', async () => {
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

describe('minutes that run out while a caller talks with somebody through the service', () => {
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

  it('end that, and the record stays that of the transfer', async () => {
    const call = await connected(1);
    await call.nothing(47_000);
    expect([call.incoming.end, call.va.activeCalls]).toEqual([null, 1]);
    await call.nothing(3_000);
    expect(call.incoming.end).toEqual({ cause: 'local-hangup' });
    expect(call.telephony.dialed[0]?.end).toEqual({ cause: 'local-hangup' });
    expect((await endOf(call, 0)).slice(0, 2)).toEqual(['ended', 'transferred']);
    expect(await balance(call)).toBeCloseTo(0, 1);
  });

  it('are shared with the calls that go on', async () => {
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

  it('let it go on when more of them are bought meanwhile', async () => {
    const call = await connected(1);
    await call.nothing(20_000);
    await call.va.operations.organizations.update(call.orgId, { minutes_balance: 2 });
    await call.nothing(60_000);
    expect([call.incoming.end, call.va.activeCalls]).toEqual([null, 1]);
    await call.nothing(60_000);
    expect(call.incoming.end).toEqual({ cause: 'local-hangup' });
  });
});

describe('the concurrency limit of an organization', () => {
  it('refuses calls beyond it as busy, and takes one again when another has ended', async () => {
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

import { memory } from '@va/storage/memory';
import { ScriptedIncomingCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { dialedNumber, PhoneCall } from './support/phone-call.ts';
import { phoneCalls } from './support/phone-calls.ts';

const { keep, ring } = phoneCalls();

describe('the readiness of a process', () => {
  it('is ready from its start until it begins to drain', async () => {
    const call = keep(new PhoneCall());
    expect(await call.va.readiness()).toEqual({ status: 'unavailable', reason: 'starting' });
    await call.prepare();
    expect(await call.va.readiness()).toEqual({ status: 'ready', reason: null });
    await call.dial();
    const closed = call.va.close({ drainMs: 1_000 });
    expect(await call.va.readiness()).toEqual({ status: 'unavailable', reason: 'draining' });
    await call.clock.advance(20_000);
    await closed;
  });

  it('is unavailable at its maximum of calls; calls that it refuses are reported', async () => {
    const call = await ring({ service: { limits: { maxConcurrentCalls: 1 } } });
    const refused: string[] = [];
    call.va.events.on('call.refused', ({ telephony }) => refused.push(telephony));
    expect(await call.va.readiness()).toEqual({ status: 'unavailable', reason: 'full' });
    expect(refused).toEqual([]);
    expect(call.telephony.ring(new ScriptedIncomingCall({ to: '+31201234567' })).rejected).toBe('overloaded');
    expect(refused).toEqual(['scripted']);
    call.incoming.leave();
    await call.quiet(2_000);
    expect(await call.va.readiness()).toEqual({ status: 'ready', reason: null });
  });

  it('is unavailable while the storage does not answer', async () => {
    const ping = (): Promise<void> => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:5432'));
    const call = keep(new PhoneCall({ service: { storage: { ...memory(), ping } } }));
    await call.prepare();
    expect(await call.va.readiness()).toEqual({ status: 'unavailable', reason: 'storage' });
  });
});

describe('the load of a process', () => {
  it('has the number of its calls and of unfinished jobs', async () => {
    const call = await ring();
    await call.dial(new ScriptedIncomingCall({ to: dialedNumber, id: 'second' }));
    const load = await call.va.load();
    expect(load).toMatchObject({ activeCalls: 2, maxConcurrentCalls: 200, webhooksInFlight: null });
    expect(load.jobs).toEqual({ webhooks: 0, 'after-call': 0, mails: 0 });
  });
});

import { memory } from '@va/storage/memory';
import { ScriptedWebhooks } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { Storage } from '../../src/ports/storage/storage.ts';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();

/** Fails as often as it is told to, from the moment that it is. */
function failing(storage: Storage): Storage & { failures: number } {
  const wrapped = {
    ...storage,
    failures: 0,
    transaction: <T>(work: Parameters<typeof storage.transaction<T>>[0]): Promise<T> => {
      if (wrapped.failures === 0) return storage.transaction(work);
      wrapped.failures -= 1;
      return Promise.reject(new Error('the database restarts'));
    },
  };
  return wrapped;
}

function statuses(webhooks: ScriptedWebhooks): unknown[] {
  return webhooks.messages.map(({ event, message }) => `${(message.call as { status: string }).status} ${event}`);
}

describe('the end of a call', () => {
  it('is stored and told when the storage is there again', async () => {
    const storage = failing(memory());
    const call = keep(await PhoneCall.ring({ service: { storage } }));
    await call.quiet(100);
    storage.failures = 3;
    call.incoming.leave();
    await call.quiet(1_000);
    expect((await call.stored()).status).toBe('in-progress');
    expect(call.webhooks.events).not.toContain('end-of-call-report');
    await call.clock.advance(10_000);
    expect(await call.stored()).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
    expect(call.webhooks.events.filter((event) => event === 'end-of-call-report')).toHaveLength(1);
    expect(await storage.usageLogs.count(call.orgId)).toBe(1);
  });

  it('is told by the next start, once, where the process died before', async () => {
    const storage = memory();
    const died = keep(await PhoneCall.ring({ service: { storage } }));
    await died.quiet(3_000);
    const { id } = await died.stored();
    const webhooks = new ScriptedWebhooks();
    const next = keep(new PhoneCall({ webhooks, service: { storage: { ...storage, start: async () => {} } } }));
    await next.clock.advance(10_000);
    await next.va.start();
    expect(await storage.calls.get(died.orgId, id)).toMatchObject({ status: 'failed', end_reason: 'worker_lost' });
    expect(statuses(webhooks)).toEqual(['ended-with-error status-update', 'ended-with-error end-of-call-report']);
    expect(await storage.usageLogs.count(died.orgId)).toBe(1);
  });

  it('is left alone where other processes share the storage, until no call can be that old', async () => {
    const storage = memory();
    const capabilities = { ...storage.capabilities, shared: true };
    const running = keep(await PhoneCall.ring({ service: { storage } }));
    const { id } = await running.stored();
    const next = keep(new PhoneCall({ service: { storage: { ...storage, capabilities } } }));
    await next.clock.advance(60_000);
    await next.va.start();
    expect((await storage.calls.get(running.orgId, id))?.status).toBe('in-progress');
    await next.clock.advance(14 * 3_600_000);
    expect((await storage.calls.get(running.orgId, id))?.end_reason).toBe('worker_lost');
  });
});

import type { RecordingStore } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { ScriptedWebhooks, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { OnCallEnded } from '../../../src/calls/record/call-end.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { keep } = phoneCalls();

/** Rejects the next `failures` transactions. */
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
  it('is stored and reported once the storage works again', async () => {
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

  it('gets a sequence number after webhooks whose commit was not acknowledged', async () => {
    const storage = memory();
    let acknowledges = true;
    const transaction: Storage['transaction'] = async (work) => {
      const result = await storage.transaction(work);
      if (acknowledges) return result;
      acknowledges = true;
      throw new Error('the connection broke at the commit');
    };
    const call = keep(new PhoneCall({ service: { storage: { ...storage, transaction } } }));
    await call.prepare();
    acknowledges = false;
    await call.dial();
    await call.quiet(100);
    expect(acknowledges).toBe(true);
    expect(await call.stored()).toMatchObject({ status: 'in-progress' });
    call.incoming.leave();
    await call.quiet(1_000);
    // The first status-update has sequence 1 and is not delivered yet: its job waits until its lease expires.
    expect(call.webhooks.messages.map(({ event, sequence }) => [event, sequence])).toEqual([
      ['status-update', 2],
      ['end-of-call-report', 3],
    ]);
  });

  it('is reported once by the next start when the process died', async () => {
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

  it('keeps the transcript and recording from before the process died', async () => {
    const storage = memory();
    const finished: string[] = [];
    const recordings: RecordingStore = {
      create: async () => ({ write() {}, close: async () => {} }),
      open: async () => null,
      finish: async (_orgId, callId) => finished.push(callId) > 0,
      delete: async () => true,
    };
    const stt = scriptedStt({ turns: ['hello'] });
    const llm = scriptedLlm([saying('Hi there.')]);
    const agent = { first_message: 'Good evening.' };
    const died = keep(await PhoneCall.ring({ stt, llm, agent, recordings, service: { storage } }));
    await died.quiet(2_500);
    await died.speak(300);
    await died.quiet(3_000);
    const { id } = await died.stored();
    const said = [
      { role: 'assistant', content: 'Good evening.' },
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Hi there.' },
    ];
    expect(await died.va.operations.calls.get(died.orgId, id)).toMatchObject({ messages: said });
    const next = keep(
      new PhoneCall({
        recordings,
        service: { storage: { ...storage, start: async () => {} }, publicUrl: 'https://va.test' },
      }),
    );
    await next.clock.advance(10_000);
    await next.va.start();
    expect(await storage.calls.get(died.orgId, id)).toMatchObject({
      end_reason: 'worker_lost',
      messages: said,
      recording_url: `https://va.test/api/v1/calls/${id}/recording`,
    });
    expect(finished).toEqual([id]);
  });

  it('is not assumed on a shared storage until the call exceeds the maximum duration', async () => {
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

describe('onCallEnded', () => {
  it('receives the final record within the transaction that stores it', async () => {
    const ended: unknown[] = [];
    const onCallEnded: OnCallEnded = async (call, { client }) => void ended.push([call.end_reason, client]);
    const call = keep(await PhoneCall.ring({ service: { onCallEnded } }));
    call.incoming.leave();
    await call.quiet(100);
    expect(ended).toEqual([['user_hangup', null]]);
  });

  it('rolls the end back when it throws or times out, and is skipped after five attempts', async () => {
    let attempts = 0;
    const onCallEnded: OnCallEnded = async () => {
      attempts += 1;
      if (attempts > 1) await new Promise(() => {});
      throw new Error('no such table');
    };
    const call = keep(await PhoneCall.ring({ service: { onCallEnded } }));
    call.incoming.leave();
    await call.quiet(100);
    expect((await call.stored()).status).toBe('in-progress');
    await call.clock.advance(120_000);
    expect(attempts).toBe(5);
    expect(await call.stored()).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
  });
});

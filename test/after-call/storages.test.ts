import { type Call, createVoiceAgents, type VoiceAgents } from '@va/core';
import { type OutgoingMail, systemClock, systemRandom, uuidv7 } from '@va/core/adapter';
import {
  ScriptedIncomingCall,
  ScriptedTelephony,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
  silentLogger,
} from '@va/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MovableClock } from '../api/support/movable-clock.ts';
import { type PreparedStorage, storageKinds } from '../api/support/storages.ts';

const number = '+31201234567';
const patience = { interval: 50 };

describe.each(storageKinds)('the service on $name', (kind) => {
  const webhooks = new ScriptedWebhooks();
  const telephony = new ScriptedTelephony();
  const clock = new MovableClock();
  const mails: OutgoingMail[] = [];
  let prepared: PreparedStorage;
  let va: VoiceAgents;
  let orgId: string;

  beforeAll(async () => {
    prepared = await kind.prepare();
    va = createVoiceAgents({
      storage: prepared.storage,
      // Other processes of the machine may delay this one.
      limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
      clock,
      providers: [scriptedLlm([saying('A table for two.')]), scriptedStt(), scriptedTts()],
      webhooks,
      telephony: [telephony],
      mail: { sender: { sendMail: async (mail) => void mails.push(mail) }, from: 'calls@host.test' },
      recordings: {
        create: () => Promise.reject(new Error('None.')),
        open: async () => null,
        delete: async () => false,
      },
      logger: silentLogger,
    });
    await va.start();
    ({ id: orgId } = await va.operations.organizations.ensureDefault());
    const agent = await va.operations.agents.create(orgId, {
      name: 'Anna',
      webhook_url: 'https://customer.test',
      notification_email: 'owner@harbour.test',
      first_message: 'Hello.',
      analysis_plan: { minMessagesThreshold: 1 },
      ...{
        stt_config: { provider: 'scripted' },
        llm_config: { provider: 'scripted' },
        tts_config: { provider: 'scripted' },
      },
    });
    await va.operations.numbers.register(orgId, { phone_number: number, agent_id: agent.id });
  });

  afterAll(async () => {
    await va.close({ drainMs: 0 });
    await prepared.stop();
  });

  async function calls(): Promise<Call[]> {
    return (await va.operations.calls.list(orgId, {})).calls;
  }

  it('stores the end of a call and its follow-up in one transaction, and runs each step once', async () => {
    await va.operations.organizations.update(orgId, { minutes_balance: 100 });
    const caller = new ScriptedIncomingCall({ to: number });
    const notices: string[] = [];
    va.events.on('call.notice', ({ notice }) => notices.push(notice.type));
    telephony.ring(caller);
    await vi.waitFor(async () => expect((await calls())[0]?.status).toBe('in-progress'), patience);
    await vi.waitFor(() => expect(notices).toContain('agent-spoke'), patience);
    clock.putForward(1_500);
    caller.leave();
    await vi.waitFor(async () => expect((await calls())[0]?.analysis_status).toBe('completed'), patience);
    await vi.waitFor(() => expect(mails).toHaveLength(1), patience);
    const [call] = await calls();
    expect(call).toMatchObject({ summary: 'A table for two.', status: 'ended' });
    expect(webhooks.of('end-of-call-report')).toMatchObject([{ summary: 'A table for two.' }]);
    expect(mails[0]?.messageId).toBe(`call-${call?.id}@host.test`);
    const { logs } = await va.operations.usage.list(orgId);
    expect(logs).toHaveLength(1);
    const { minutes_balance: left } = await va.operations.organizations.get(orgId);
    expect(left).toBeCloseTo(100 - (logs[0]?.minutes_used ?? 0), 6);
  });

  // The in-process queue never gives a job to two workers.
  const shared = kind.name === 'memory' ? [] : [kind.name];
  it.each(shared)('reports once when two workers run the same job (%s)', async () => {
    const { storage } = prepared;
    const [done] = await calls();
    if (done === undefined) throw new Error('expected a call');
    const id = uuidv7(systemClock, systemRandom);
    await storage.calls.insert(orgId, {
      ...done,
      id,
      analysis_status: 'pending',
      summary: null,
      node_id: null,
      webhook_sequence: 0,
      reserved_seconds: null,
    });
    const task = { llmConfig: { provider: 'scripted' }, summary: { messages: [] }, structured: null };
    const report = { url: 'https://customer.test', numberName: null, assistant: null };
    const reportBy = new Date(systemClock.wallMs() + 60_000).toISOString();
    const data = { orgId, callId: id, task, report, after: null, reportBy, notificationEmail: null };
    const ids = [uuidv7(systemClock, systemRandom), uuidv7(systemClock, systemRandom)];
    const before = webhooks.of('end-of-call-report').length;
    await storage.jobs?.send(ids.map((jobId) => ({ queue: 'after-call', id: jobId, data, afterMs: 0 })));
    await vi.waitFor(async () => expect((await storage.jobs?.stored('after-call', ids))?.size).toBe(0), patience);
    expect((await storage.calls.get(orgId, id))?.summary).toBe('A table for two.');
    expect(webhooks.of('end-of-call-report')).toHaveLength(before + 1);
  });

  it('accepts only as many concurrent incoming calls as the organization may have', async () => {
    await va.operations.organizations.update(orgId, { concurrency_limit: 2, minutes_balance: null });
    const callers = Array.from({ length: 8 }, () => new ScriptedIncomingCall({ to: number }));
    for (const caller of callers) telephony.ring(caller);
    await vi.waitFor(
      () => expect(callers.every(({ answered, rejected }) => answered || rejected !== null)).toBe(true),
      patience,
    );
    expect(callers.filter(({ answered }) => answered)).toHaveLength(2);
    for (const caller of callers) caller.leave();
    await vi.waitFor(() => expect(va.activeCalls).toBe(0), patience);
    await va.operations.organizations.update(orgId, { concurrency_limit: null });
  });

  it('deletes the events and deliveries of an erased call', async () => {
    const [call] = (await calls()).slice(-1);
    const id = call?.id ?? '';
    await va.operations.calls.delete(orgId, id);
    const where = { call_id: id };
    expect(await prepared.storage.callEvents.count(orgId, { where })).toBe(0);
    expect(await prepared.storage.webhookDeliveries.count(orgId, { where })).toBe(0);
    expect(await prepared.storage.usageLogs.count(orgId, { where })).toBe(1);
    await expect(va.operations.calls.get(orgId, id)).rejects.toMatchObject({ status: 404 });
  });
});

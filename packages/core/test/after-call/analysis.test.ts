import { memory } from '@va/storage/memory';
import {
  type ScriptedReply,
  type ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedRealtime,
  scriptedStt,
  VirtualClock,
} from '@va/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { newCallRecord } from '../../src/calls/record/call-record.ts';
import type { PhoneNumberRecord } from '../../src/domain/numbers/phone-number.ts';
import { ProviderError } from '../../src/errors.ts';
import { uuidv7 } from '../../src/ids.ts';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import { aesVault } from '../../src/node/aes-vault.ts';
import type { LlmRequest } from '../../src/ports/providers/language-model.ts';
import type { Storage } from '../../src/ports/storage/storage.ts';
import { loadDialect } from '../../src/schema/schema-task.ts';
import { PhoneCall, type PhoneCallOptions } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();

const schema = {
  type: 'object',
  properties: { people: { type: 'integer' }, code: { type: 'string', pattern: '^[A-Z]{2}$' } },
  required: ['people'],
};
const structuredDataPlan = { enabled: true, schema, messages: [] };

function textOf({ messages }: LlmRequest): string {
  return messages.map(({ content }) => content).join('\n');
}

function isReading(request: LlmRequest): boolean {
  return textOf(request).includes('transcript of a phone call');
}

/** A model that talks, sums up, and takes data out of what was said, each time as the test says. */
function readingLlm(read: { summary?: ScriptedReply[]; data?: ScriptedReply[] } = {}) {
  let summaries = 0;
  let answers = 0;
  const { summary = [saying('A table for two.')], data = [saying('{"people": 2}')] } = read;
  return scriptedLlm((request) => {
    if (!isReading(request)) return saying('All right.');
    const isData = textOf(request).includes('JSON Schema');
    const [replies, n] = isData ? [data, answers++] : [summary, summaries++];
    return replies[Math.min(n, replies.length - 1)] ?? [];
  });
}

async function talk(options: PhoneCallOptions): Promise<PhoneCall> {
  const call = keep(new PhoneCall({ stt: scriptedStt({ turns: ['A table for two, please.'] }), ...options }));
  await call.prepare({ first_message: 'Hello.', ...options.agent });
  await converse(call);
  return call;
}

async function converse(call: PhoneCall): Promise<void> {
  await call.dial();
  await call.quiet(1_000);
  await call.speak(600);
  await call.quiet(2_500);
  call.incoming.leave();
  await call.clock.advance(0);
}

function reports(webhooks: ScriptedWebhooks): Record<string, unknown>[] {
  return webhooks.of('end-of-call-report');
}

// It is loaded when it is first needed, which virtual time does not wait for.
beforeAll(async () => void (await loadDialect(false)));

describe('the summary and analysis of a call', () => {
  it('are made by the agent’s model, are on the record, and are in the report', async () => {
    const call = await talk({ llm: readingLlm(), agent: { analysis_plan: { structuredDataPlan } } });
    await call.clock.advance(100);
    expect(await call.stored()).toMatchObject({
      summary: 'A table for two.',
      analysis_result: { people: 2 },
      analysis_status: 'completed',
      analysis_error: null,
    });
    expect(reports(call.webhooks)).toMatchObject([{ summary: 'A table for two.', analysis: { people: 2 } }]);
    const [request] = call.llm.requests.filter(isReading);
    expect(request && textOf(request)).toContain('Agent: Hello.\nCaller: A table for two, please.');
  });

  it('come after the end itself, which nobody waits for', async () => {
    const call = await talk({ llm: readingLlm({ summary: [[5_000, { type: 'text', text: 'Late.' }]] }) });
    expect(await call.stored()).toMatchObject({ status: 'ended', summary: null, analysis_status: 'pending' });
    expect(call.webhooks.events).toEqual(['status-update', 'status-update']);
    await call.clock.advance(6_000);
    expect((await call.stored()).summary).toBe('Late.');
    expect(reports(call.webhooks)).toHaveLength(1);
  });

  it('hold the report up for a minute at most', async () => {
    const call = await talk({ llm: readingLlm({ summary: [[600_000]] }) });
    await call.clock.advance(59_000);
    expect(reports(call.webhooks)).toHaveLength(0);
    await call.clock.advance(2_000);
    expect(reports(call.webhooks)).toMatchObject([
      { summary: null, analysisError: expect.stringContaining('summary') },
    ]);
    expect((await call.stored()).analysis_status).toBe('failed');
  });

  it('cost the report nothing where the model fails, and the error is noted', async () => {
    const failure = new ProviderError('scripted', 'quota', 'the account is empty');
    const call = await talk({
      llm: readingLlm({ summary: [[failure]] }),
      agent: { analysis_plan: { structuredDataPlan } },
    });
    await call.clock.advance(1_000);
    expect(await call.stored()).toMatchObject({
      summary: null,
      analysis_result: { people: 2 },
      analysis_status: 'failed',
    });
    expect(reports(call.webhooks)).toMatchObject([
      { analysis: { people: 2 }, analysisError: expect.stringContaining('the account is empty') },
    ]);
  });

  it('are asked for again where the model is away for a moment', async () => {
    const away = new ProviderError('scripted', 'unavailable', 'it restarts');
    const call = await talk({ llm: readingLlm({ summary: [[away], saying('There.')] }) });
    await call.clock.advance(3_000);
    expect(await call.stored()).toMatchObject({ summary: 'There.', analysis_status: 'completed' });
  });

  it.each([
    ['words around it', 'Here it is:\n```json\n{"people": 2}\n```', { people: 2 }],
    ['a list', '[1]', { people: 3 }],
    ['a wrong type', '{"people": "two"}', { people: 3 }],
    ['a pattern that does not fit', '{"people": 2, "code": "nl"}', { people: 3 }],
  ])('fit the schema, or are repaired once: %s', async (_name, first, result) => {
    const llm = readingLlm({ data: [saying(first), saying('{"people": 3}')] });
    const call = await talk({ llm, agent: { analysis_plan: { structuredDataPlan } } });
    await call.clock.advance(1_000);
    expect((await call.stored()).analysis_result).toEqual(result);
  });

  it('are left out where the repair does not fit either', async () => {
    const llm = readingLlm({ data: [saying('{}')] });
    const call = await talk({ llm, agent: { analysis_plan: { structuredDataPlan } } });
    await call.clock.advance(1_000);
    const stored = await call.stored();
    expect(stored).toMatchObject({ summary: 'A table for two.', analysis_result: null, analysis_status: 'failed' });
    expect(stored.analysis_error).toContain("must have required property 'people'");
    expect(call.llm.requests.filter((request) => textOf(request).includes('JSON Schema'))).toHaveLength(2);
  });

  it('are given up when a pattern of the schema exceeds the deadline', async () => {
    const hostile = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const llm = readingLlm({ data: [saying(JSON.stringify({ a: `${'a'.repeat(60)}!` }))] });
    const plan = { structuredDataPlan: { enabled: true, schema: hostile, messages: [] } };
    const call = await talk({ llm, agent: { analysis_plan: plan } });
    await call.clock.advance(1_000);
    expect((await call.stored()).analysis_error).toContain('takes longer than 500 ms');
  });

  it('use the plan’s own words, with what they leave a place for', async () => {
    const messages = [
      { role: 'system', content: 'transcript of a phone call, JSON Schema {{schema}}' },
      { role: 'user', content: 'Of {transcript}' },
    ];
    const plan = { structuredDataPlan: { ...structuredDataPlan, messages }, summaryPlan: { enabled: false } };
    const call = await talk({ llm: readingLlm(), agent: { analysis_plan: plan } });
    await call.clock.advance(1_000);
    const asked = call.llm.requests.filter(isReading);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.messages[0]?.content).toContain('"people"');
    expect(asked[0]?.messages[1]?.content).toMatch(/^Of Agent: Hello\.\nCaller:/);
    expect(await call.stored()).toMatchObject({ summary: null, analysis_result: { people: 2 } });
  });

  it('are made by the model that the plan names', async () => {
    const other = scriptedLlm([saying('By another.')], { id: 'reader' });
    const call = await talk({
      llm: readingLlm(),
      extraProviders: [other],
      agent: { analysis_plan: { llm_config: { provider: 'reader', model: 'small' } } },
    });
    await call.clock.advance(1_000);
    expect((await call.stored()).summary).toBe('By another.');
    expect(other.requests[0]?.config).toMatchObject({ model: 'small', messages: [], tools: [] });
  });

  it('are made by the host’s model where the agent speaks itself', async () => {
    const other = scriptedLlm([saying('By the host’s.')], { id: 'reader' });
    const call = keep(
      new PhoneCall({
        realtime: scriptedRealtime({ turns: ['A table, please.'], responses: [saying('All right.')] }),
        extraProviders: [other],
        service: { analysisModel: { provider: 'reader' } },
      }),
    );
    await call.prepare({ llm_config: { provider: 'scripted_realtime' }, analysis_plan: { minMessagesThreshold: 1 } });
    await converse(call);
    await call.clock.advance(1_000);
    const stored = await call.stored();
    expect(stored.messages).not.toEqual([]);
    expect(stored.summary).toBe('By the host’s.');
  });

  it.each([
    ['fewer messages than the threshold', { minMessagesThreshold: 20 }],
    ['a plan that wants neither', { summaryPlan: { enabled: false } }],
  ])('are not made for %s: the report goes with the end', async (_name, analysis_plan) => {
    const call = await talk({ llm: readingLlm(), agent: { analysis_plan } });
    expect(reports(call.webhooks)).toHaveLength(1);
    expect((await call.stored()).analysis_status).toBeNull();
    expect(call.llm.requests.filter(isReading)).toHaveLength(0);
  });

  it('are paid for with the organization’s own key', async () => {
    const llm = readingLlm();
    const service = { vault: aesVault({ key: Buffer.alloc(32, 1) }) };
    const entry = { id: 'scripted', name: 'S', category: 'llm', docsUrl: 'https://s.test', models: [], voices: [] };
    const call = keep(
      new PhoneCall({ stt: scriptedStt({ turns: ['Hi.'] }), llm: { ...llm, catalog: entry } as typeof llm, service }),
    );
    await call.prepare({ first_message: 'Hello.' });
    await call.va.operations.byok.set(call.orgId, { provider: 'scripted', api_key: 'own-1' });
    await converse(call);
    await call.clock.advance(1_000);
    expect(llm.requests.filter(isReading).map(({ apiKey }) => apiKey)).toEqual(['own-1']);
  });
});

describe('a job after a call', () => {
  const task = { llmConfig: { provider: 'scripted' }, summary: { messages: [] }, structured: null };

  /** A call that has ended, and the jobs that a process that died has left of it. */
  async function leftBehind(count: number) {
    const clock = new VirtualClock();
    const jobs = new InProcessJobs(clock);
    const storage: Storage = { ...memory(), jobs };
    const call = keep(new PhoneCall({ llm: readingLlm(), clock, service: { storage } }));
    await call.prepare();
    const [number] = await call.va.operations.numbers.list(call.orgId);
    const record = newCallRecord({
      ...{ id: uuidv7(clock), direction: 'inbound', agent: call.agent ?? null, clock },
      number: { id: uuidv7(clock), number: number?.number ?? '' } as PhoneNumberRecord,
    });
    const messages = [{ role: 'user' as const, content: 'A table.' }];
    await storage.calls.insert(call.orgId, {
      ...record,
      ...{ status: 'ended', messages, analysis_status: 'pending', node_id: null, webhook_sequence: 0 },
    });
    const report = {
      url: 'https://customer.test/hook',
      agentId: call.agent?.id ?? null,
      numberName: null,
      assistant: { name: 'Anna' },
    };
    const reportBy = new Date(clock.wallMs() + 60_000).toISOString();
    const data = { orgId: call.orgId, callId: record.id, task, report, after: null, reportBy, notificationEmail: null };
    const ids = Array.from({ length: count }, () => uuidv7(clock));
    await jobs.send(ids.map((id) => ({ queue: 'after-call', id, data, afterMs: 0 })));
    return { call, jobs, ids, storage };
  }

  it('is done by the next process where one died over it', async () => {
    const { call, jobs, ids } = await leftBehind(1);
    await call.clock.advance(10_000);
    expect(await call.stored()).toMatchObject({ summary: 'A table for two.', analysis_status: 'completed' });
    expect(reports(call.webhooks)).toMatchObject([{ summary: 'A table for two.', assistant: { name: 'Anna' } }]);
    expect(await jobs.stored('after-call', ids)).toEqual(new Set());
  });

  it('that is done twice reports once', async () => {
    const { call, jobs, ids } = await leftBehind(2);
    await call.clock.advance(10_000);
    expect(reports(call.webhooks)).toHaveLength(1);
    expect(await jobs.stored('after-call', ids)).toEqual(new Set());
  });

  it('goes away with its call', async () => {
    const { call, jobs, ids, storage } = await leftBehind(1);
    const { id } = await call.stored();
    await storage.calls.delete(call.orgId, id);
    await call.clock.advance(10_000);
    expect(reports(call.webhooks)).toHaveLength(0);
    expect(await jobs.stored('after-call', ids)).toEqual(new Set());
  });

  it('is left to the next process by one that stops', async () => {
    const clock = new VirtualClock();
    const storage: Storage = { ...memory(), jobs: new InProcessJobs(clock), close: async () => {} };
    const call = await talk({ clock, llm: readingLlm({ summary: [[1_000_000]] }), service: { storage } });
    const closing = call.va.close({ drainMs: 1_000 });
    await clock.advance(3_000);
    await closing;
    expect(reports(call.webhooks)).toHaveLength(0);
    const next = keep(new PhoneCall({ llm: readingLlm(), clock, service: { storage } }));
    await next.va.start();
    await clock.advance(1_000);
    expect(reports(next.webhooks)).toMatchObject([{ summary: 'A table for two.' }]);
  });

  it('is done without the model where there is no next process that knows of it', async () => {
    const call = await talk({ llm: readingLlm({ summary: [[1_000_000]] }) });
    const closing = call.va.close({ drainMs: 1_000 });
    await call.clock.advance(3_000);
    await closing;
    expect(reports(call.webhooks)).toMatchObject([{ summary: null, analysisError: expect.any(String) }]);
  });
});

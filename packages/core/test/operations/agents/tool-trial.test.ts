import { defineTool, type NewAgent, ToolError } from '@va/core';
import { CallUnderTest, ScriptedWebhooks, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';

type NewTools = NonNullable<NonNullable<NewAgent['llm_config']>['tools']>;

const started: CallUnderTest[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.va.close({ drainMs: 0 });
});

const findTable = defineTool({
  name: 'find_table',
  description: 'Finds a table.',
  parameters: z.object({ people: z.number().max(8) }),
  async execute({ people }, { call, organization }) {
    if (people === 7) throw new ToolError('There is no table for seven.');
    return { people, isTrial: call.metadata?.trial, of: organization.id };
  },
});
const never = defineTool({
  name: 'never',
  description: 'Never answers.',
  parameters: z.object({}),
  timeoutMs: 120_000,
  async: true,
  execute: () => new Promise<never>(() => {}),
});

async function service(tools: NewTools, webhooks: ScriptedWebhooks = new ScriptedWebhooks()) {
  const under = new CallUnderTest({
    providers: [scriptedStt(), scriptedLlm([]), scriptedTts()],
    webhooks,
    service: { tools: [findTable, never] },
  });
  started.push(under);
  await under.start({
    name: 'Anna',
    webhook_url: 'https://customer.test/hook',
    llm_config: { provider: 'scripted', tools },
  });
  const { agents } = under.va.operations;
  const id = under.agent?.id ?? '';
  return {
    ...{ under, webhooks },
    run: (name: string, args: Record<string, unknown> = {}) =>
      agents.tryTool(under.orgId, id, { name, arguments: args }),
  };
}

it('a trial runs a tool of the host with checked arguments, in a context that is marked as a trial', async () => {
  const { under, run } = await service([{ type: 'host', name: 'find_table' }]);
  expect(await run('find_table', { people: 2 })).toMatchObject({
    ...{ success: true, ok: true, error: null },
    result: { people: 2, isTrial: true, of: under.orgId },
  });
  expect(await run('find_table', { people: 9 })).toMatchObject({ ok: false, result: null });
  expect(await run('find_table', { people: 7 })).toMatchObject({ ok: false, error: 'There is no table for seven.' });
  // Trials store no call.
  expect((await under.va.operations.calls.list(under.orgId)).calls).toEqual([]);
});

it('a trial sends the request of a call to the customer, and returns the answer or the failure', async () => {
  const webhooks = new ScriptedWebhooks();
  const { run } = await service([{ type: 'function', name: 'book' }], webhooks);
  webhooks.answer = () => ({ result: 'Booked.' });
  expect(await run('book', { day: 'Friday' })).toMatchObject({ ok: true, result: 'Booked.' });
  expect(webhooks.of('tool-calls').at(-1)).toMatchObject({
    toolCallList: [{ function: { name: 'book', arguments: { day: 'Friday' } } }],
  });
  webhooks.answer = () => ({ error: 'The restaurant is closed.' });
  expect(await run('book')).toMatchObject({ ok: false, error: 'The restaurant is closed.' });
});

it('a trial waits 30 s at most, whatever the limit of the tool', async () => {
  const { under, run } = await service([{ type: 'host', name: 'never' }]);
  const waiting = run('never');
  await under.clock.advance(30_000);
  expect(await waiting).toMatchObject({ ok: false, error: 'timeout: no answer within 30 seconds', latency_ms: 30_000 });
});

it('only tools of the agent that can run outside of a call can be tried', async () => {
  const { run } = await service([{ type: 'endCall' }, { type: 'function', name: 'show', runs: 'client' }]);
  await expect(run('find_table', { people: 2 })).rejects.toMatchObject({ status: 404, code: 'tool_not_found' });
  await expect(run('endCall')).rejects.toMatchObject({ status: 422, code: 'tool_needs_call' });
  expect(await run('show')).toMatchObject({ ok: false, error: 'The tool runs in the web page of a caller.' });
  await expect(run('show', { text: 'x'.repeat(20_000) })).rejects.toMatchObject({ status: 400 });
});

import { readFile } from 'node:fs/promises';
import { defineTool, ToolError } from '@va/core';
import { calling, expectConversation, saying, simulateConversation } from '@va/testkit';
import { expect, it } from 'vitest';
import { z } from 'zod';

const agent = {
  name: 'Anna',
  llm_config: { provider: 'any', tools: [{ type: 'host' as const, name: 'find_table' }] },
};
const caller = ['A table for two, please.'];
const llm = [calling('find_table', { people: 2 }), saying('Table seven is free.')];

const findTable = defineTool({
  name: 'find_table',
  description: 'Finds a free table.',
  parameters: z.object({ people: z.int() }),
  execute: async ({ people }, { call, organization, idempotencyKey, variables }) => {
    for (let reads = 0; reads < 20; reads += 1) await readFile(import.meta.filename);
    if (people > 8) throw new ToolError('There is no table for so many.');
    return {
      table: 7,
      people,
      direction: call.direction,
      variables,
      key: idempotencyKey.startsWith(call.id),
      organization,
    };
  },
});

it('simulateConversation runs a host tool in real time, with the context of the call', async () => {
  const conversation = await simulateConversation({ agent, caller, llm, hostTools: [findTable] });
  expectConversation(conversation).calledTool('find_table', { people: 2 });
  expect(conversation.tools[0]?.outcome).toMatchObject({
    result: { table: 7, people: 2, direction: 'inbound', key: true, organization: { id: expect.any(String) } },
  });
  expect(conversation.requests[0]?.tools).toMatchObject([
    { name: 'find_table', description: 'Finds a free table.', parameters: { required: ['people'] } },
  ]);
  expect(conversation.transcript.at(-1)?.content).toBe('Table seven is free.');
});

it('simulateConversation passes the error of a host tool to the model', async () => {
  const many = [calling('find_table', { people: 9 }), saying('I am sorry.')];
  const conversation = await simulateConversation({ agent, caller, llm: many, hostTools: [findTable] });
  expect(conversation.tools[0]?.outcome).toEqual({ error: 'There is no table for so many.' });
});

it('simulateConversation prefers a handler to a host tool, and its waits take virtual time', async () => {
  const conversation = await simulateConversation({
    agent,
    caller,
    llm,
    hostTools: [findTable],
    tools: {
      find_table: async (_args, { wait }) => {
        await wait(3_000);
        return { table: 1 };
      },
    },
  });
  expect(conversation.tools[0]).toMatchObject({ outcome: { result: { table: 1 } }, durationMs: 3_000 });
});

it('simulateConversation rejects an agent with a tool that has no handler', async () => {
  await expect(simulateConversation({ agent, caller, llm })).rejects.toMatchObject({ code: 'missing_tool_handler' });
});

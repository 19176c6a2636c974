import { createAddressPolicy } from '@va/core/adapter';
import { calling, saying, simulateConversation } from '@va/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mcp } from '../../src/client/index.ts';
import { RestaurantServer } from './mcp-server.ts';

let restaurant: RestaurantServer;
let isStopped = false;

const stop = async (): Promise<void> => {
  if (!isStopped) await restaurant.stop();
  isStopped = true;
};

beforeEach(async () => {
  restaurant = await RestaurantServer.start();
  isStopped = false;
});
afterEach(stop);

const converse = async (llm: Parameters<typeof simulateConversation>[0]['llm']) =>
  await simulateConversation({
    agent: {
      name: 'Anna',
      llm_config: {
        provider: 'any',
        tools: [
          {
            ...{ type: 'mcp', server: { url: restaurant.url }, prefix: 'rest_', timeout_ms: 1_000 },
            allow: ['find_table', 'wait'],
          },
        ],
      },
    },
    caller: ['A table for two, please.', 'Thank you.'],
    llm,
    mcp: mcp({ addresses: createAddressPolicy({ allowed: ['127.0.0.1'] }) }),
  });

it('a conversation uses the tools of an MCP server, under their prefix', async () => {
  const conversation = await converse([
    calling('rest_find_table', { people: 2 }),
    saying('Table seven.'),
    saying('Bye.'),
  ]);
  expect(conversation.requests[0]?.tools.map(({ name }) => name)).toEqual(['rest_find_table', 'rest_wait']);
  expect(conversation.tools).toMatchObject([{ name: 'rest_find_table', outcome: { result: { table: 7 } } }]);
  // The list was fetched when the agent was stored; the call uses it.
  expect(restaurant.methods.filter((method) => method === 'tools/list')).toHaveLength(1);
});

it('a conversation continues when its MCP server dies while a tool runs', async () => {
  const watch = setInterval(() => {
    if (restaurant.waiting.length > 0) void stop();
  }, 10);
  const conversation = await converse([calling('rest_wait'), saying('That did not work.'), saying('Bye.')]);
  clearInterval(watch);
  expect(conversation.tools).toMatchObject([{ name: 'rest_wait', outcome: { error: expect.any(String) } }]);
  expect(conversation.lines.map(({ text }) => text)).toContain('That did not work.');
  expect(conversation.endReason).toBe('user_hangup');
});

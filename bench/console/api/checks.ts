import assert from 'node:assert/strict';
import { type Call, callSchema, callStatisticsSchema } from '@va/core';
import { hasWords, wordsOf } from '../../../packages/core/src/records/words.ts';
import type { Seeded } from '../seed/seed.ts';
import type { ApiClient } from './api-client.ts';

const sampleSize = 40;

/**
 * Reads a sample of the seeded calls through the API: their records are valid, searches find words that were said, and
 * the statistics count the calls of the list.
 *
 * @throws AssertionError
 */
export async function checkSeed(client: Pick<ApiClient, 'get'>, { calls }: Seeded): Promise<void> {
  const { pagination } = await listed(client, 'limit=1');
  assert.equal(pagination.total, calls);
  const sample = (await listed(client, `limit=${sampleSize}&offset=${Math.floor(calls / 3)}`)).calls;
  assert.equal(sample.length, Math.min(sampleSize, calls));
  for (const call of sample) assert.deepEqual(callSchema.parse(call), call);

  let searched = 0;
  for (const call of sample) {
    const words = call.messages.flatMap(({ content }) => wordsOf(content));
    const word = words.find((each) => /^ord[0-9a-z]{4}$/.test(each));
    if (word === undefined) continue;
    const { calls: found } = await listed(client, `q=${word}`);
    assert.deepEqual(
      found.map(({ id }) => id),
      [call.id],
    );
    searched += 1;
  }
  assert.ok(searched > 0);
  const frequent = (await listed(client, 'limit=20&q=the')).calls;
  assert.equal(frequent.length, 20);
  for (const { messages } of frequent) {
    assert.ok(hasWords(wordsOf(messages.map(({ content }) => content).join(' ')), ['the']));
  }

  const range = `start_date=${daysAgo(40)}&end_date=${daysAgo(20)}`;
  const { total } = callStatisticsSchema.parse(await client.get(`/stats?${range}`));
  assert.equal(total.calls, (await listed(client, `limit=1&${range}`)).pagination.total);
  assert.ok(total.cost > 0 && total.turns > 0);
}

interface Listed {
  readonly calls: readonly Call[];
  readonly pagination: { readonly total: number };
}

async function listed(client: Pick<ApiClient, 'get'>, query: string): Promise<Listed> {
  return (await client.get(`/calls?${query}`)) as Listed;
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

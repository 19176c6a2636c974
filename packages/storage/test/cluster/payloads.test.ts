import { describe, expect, it } from 'vitest';
import { SqlCluster } from '../../src/cluster/sql-cluster.ts';
import type { Driver } from '../../src/sql/connection.ts';

async function published(topic: string, ids: readonly string[], notifications = true): Promise<string[][]> {
  const calls: string[][] = [];
  const driver: Pick<Driver, 'query'> = {
    async query(_text, [, payloads]) {
      calls.push([...(payloads as string[])]);
      return { rows: [], rowCount: 0 };
    },
  };
  const cluster = new SqlCluster({ schema: 'va', driver: () => driver as Driver, notifications });
  await cluster.publish(topic, ids);
  return calls;
}

describe('SqlCluster.publish', () => {
  it('packs ids into one notification', async () => {
    expect(await published('stored', ['a', 'b', 'c'])).toEqual([['stored a b c']]);
  });

  it('sends no payload that PostgreSQL refuses, and each id once, in order', async () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => `${String(n).padStart(36, '0')}`);
    const [payloads = [], ...others] = await published('stored', ids);
    expect(others).toEqual([]);
    expect(payloads.length).toBeGreaterThan(1);
    for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
    expect(payloads.flatMap((payload) => payload.split(' ').slice(1))).toEqual(ids);
    expect(new Set(payloads.map((payload) => payload.split(' ')[0]))).toEqual(new Set(['stored']));
  });

  it.each([
    ['without ids', [], true],
    ['without notifications', ['a'], false],
  ])('sends nothing %s', async (_name, ids, notifications) => {
    expect(await published('stored', ids, notifications)).toEqual([]);
  });
});

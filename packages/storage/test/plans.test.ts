import type { Storage } from '@va/core/adapter';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { sampleCall } from '@va/testkit';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgres } from '../src/postgres/index.ts';
import type { PgPool } from '../src/postgres/pg-driver.ts';
import { newId } from './support/records.ts';

const calls = 6_000;
const orgId = newId();

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

describe('postgres: query plans over many calls', () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  let storage: Storage;
  const statements: { readonly text: string; readonly values: readonly unknown[] }[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    pool = server.openPool();
    storage = postgres({ pool: recording(pool), migrations: 'auto', preparedStatements: false });
    await storage.start();
    const many = Array.from({ length: calls }, (_, n) => {
      const created_at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
      const content = `A table${n === 5 ? ' outside' : ''}, please. ${n % 2 === 0 ? 'Thanks' : 'Thank you'}.`;
      // As wide as the record of a real call: the planner would read a small table as a whole.
      const summary = `${n} `.repeat(200);
      return sampleCall({ status: 'ended', created_at, summary, messages: [{ role: 'user', content }] });
    });
    await storage.calls.insertMany(orgId, many);
    await pool.query('vacuum analyze va.calls');
  });

  afterAll(async () => {
    await storage.close();
    await pool.end();
    await server.stop();
  });

  function recording(recorded: PgPool): PgPool {
    const query: PgPool['query'] = (config) => {
      statements.push({ text: config.text, values: config.values });
      return recorded.query(config);
    };
    return new Proxy(recorded, {
      get(target, key) {
        if (key === 'query') return query;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /** Returns the scans of each statement that the work runs. */
  async function scansOf(work: () => Promise<unknown>): Promise<PlanNode[][]> {
    statements.length = 0;
    await work();
    const plans: PlanNode[][] = [];
    for (const { text, values } of [...statements]) {
      const { rows } = await pool.query(`explain (analyze, format json) ${text}`, [...values]);
      plans.push(flat(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'].includes('Scan')));
    }
    return plans;
  }

  function flat(node: PlanNode): PlanNode[] {
    return [node, ...(node.Plans ?? []).flatMap(flat)];
  }

  const rowsOf = (scans: readonly PlanNode[]): number =>
    scans.reduce((sum, scan) => sum + scan['Actual Rows'] * scan['Actual Loops'], 0);
  /** Returns the number of calls that were compared with the words. */
  const comparedIn = (scans: readonly PlanNode[]): number =>
    Math.max(...scans.filter((scan) => scan['Index Name'] === 'calls_newest').map((scan) => scan['Actual Rows']));
  const search = (word: string) => ({ where: { messages: { words: [word] as const } } });

  it('compares no more than the newest 2,000 calls for a word that is in each of them', async () => {
    const listed = await scansOf(() => storage.calls.list(orgId, { ...search('table'), limit: 50 }));
    const counted = await scansOf(() => storage.calls.count(orgId, search('table'), 1_000));
    for (const [probe = [], newest = [], ...others] of [listed, counted]) {
      expect(others).toEqual([]);
      expect(comparedIn(probe)).toBe(2_000);
      expect(comparedIn(newest)).toBeLessThanOrEqual(1_000);
    }
  });

  it('uses no index of words for a page of a frequent one', async () => {
    const page = { ...search('thanks'), offset: 1_500, limit: 50 };
    const [, newest = [], ...others] = await scansOf(() => storage.calls.list(orgId, page));
    expect(others).toEqual([]);
    expect(newest.map((scan) => scan['Index Name'])).not.toContain('calls_messages_words');
  });

  it('uses the index of words for a rare one', async () => {
    const listed = await scansOf(() => storage.calls.list(orgId, { ...search('outside'), limit: 50 }));
    const counted = await scansOf(() => storage.calls.count(orgId, search('outside'), 1_000));
    for (const [probe = [], indexed = [], ...others] of [listed, counted]) {
      expect(others).toEqual([]);
      expect(comparedIn(probe)).toBe(2_000);
      expect(indexed.map((scan) => scan['Index Name'])).toContain('calls_messages_words');
      expect(rowsOf(indexed)).toBeLessThan(10);
    }
  });

  it('uses the index for the other words only if the last one is a letter', async () => {
    const where = { messages: { words: ['outside', 't'] as const } };
    const [, indexed = []] = await scansOf(() => storage.calls.list(orgId, { where, limit: 50 }));
    expect(rowsOf(indexed)).toBeLessThan(10);
    expect(indexed.map((scan) => scan['Index Name'])).toContain('calls_messages_words');
  });

  it('skips the calls before a deep page in their index', async () => {
    const [scans = []] = await scansOf(() => storage.calls.list(orgId, { limit: 50, offset: calls - 100 }));
    const [skipping, ...others] = scans.filter((scan) => scan['Actual Rows'] * scan['Actual Loops'] > 50);
    expect(skipping).toMatchObject({ 'Node Type': 'Index Only Scan', 'Index Name': 'calls_newest' });
    expect(others).toEqual([]);
  });

  it('reads the sums of days for statistics', async () => {
    const created_at = { gte: '2026-01-01T12:00:00.000Z', lt: '2026-01-03T00:00:00.000Z' };
    const query = { by: ['day'] as const, sums: ['turns'] as const, limit: 9, where: { created_at } };
    const [scans = []] = await scansOf(() => storage.callStatistics.sumGroups(orgId, query));
    expect(scans.map((scan) => scan['Relation Name'])).toContain('call_statistics_days');
  });
});

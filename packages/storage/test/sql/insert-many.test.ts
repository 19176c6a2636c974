import { sampleAgent } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { insertMany, insertOwned } from '../../src/sql/insert-many.ts';
import type { RunStatement, StatementRun } from '../../src/sql/run.ts';
import { compiled, tableOf } from '../support/compiled.ts';

const agents = tableOf('agents');

interface Ran {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly shape: string;
}

/** Records statements instead of running them, and answers with the given rows. */
function runner(rows: readonly Record<string, unknown>[]): { ran: Ran[]; run: RunStatement } {
  const ran: Ran[] = [];
  const run = async <I>({ shape, build, input }: StatementRun<I>) => {
    ran.push({ shape, ...compiled(build(), input) });
    return { rows, rowCount: rows.length };
  };
  return { ran, run };
}

const agentsOf = (count: number) => Array.from({ length: count }, (_, n) => sampleAgent({ name: `Agent ${n}` }));

describe('insertMany', () => {
  it('sends an array per column, and the organization once', async () => {
    const records = agentsOf(3);
    const { ran, run } = runner([]);
    await insertMany(run, agents, records, 'acme');
    const [{ text, values } = { text: '', values: [] }] = ran;
    expect(text).toMatch(/^insert into "va"\."agents" \(org_id, .* from unnest\(\$\d+::/);
    expect(text).toMatch(/order by ordinality on conflict do nothing returning id$/);
    expect(values).toContain('acme');
    expect(values).toContain(`{${records.map(({ id }) => `"${id}"`).join(',')}}`);
  });

  it('returns the ids of the inserted records in the order of the list', async () => {
    const records = agentsOf(3);
    const [a, b, c] = records.map(({ id }) => id);
    expect(await insertMany(runner([{ id: c }, { id: a }]).run, agents, records, 'acme')).toEqual([a, c]);
    const twice = [...records, ...records];
    const all = [{ id: a }, { id: b }, { id: c }];
    expect(await insertMany(runner(all).run, agents, twice, 'acme')).toEqual([a, b, c]);
  });

  it('sends a value once that a hundred records share', async () => {
    const { ran, run } = runner([{ ids: null }]);
    await insertMany(run, agents, agentsOf(99), 'acme');
    await insertMany(run, agents, agentsOf(100), 'acme');
    const [few, many] = ran.map(({ values }) => JSON.stringify(values).length);
    expect(many).toBeLessThan((few ?? 0) / 2);
    expect(ran[0]?.shape).not.toBe(ran[1]?.shape);
  });

  it('takes all of a hundred records for inserted unless the server lists those that were', async () => {
    const records = agentsOf(100);
    const ids = records.map(({ id }) => id);
    expect(await insertMany(runner([{ ids: null }]).run, agents, records, 'acme')).toEqual(ids);
    const listed = [ids[5], ids[2]].join(',');
    expect(await insertMany(runner([{ ids: listed }]).run, agents, records, 'acme')).toEqual([ids[2], ids[5]]);
    expect(await insertMany(runner([{ ids: '' }]).run, agents, records, 'acme')).toEqual([]);
  });

  it('quotes what would end an element of an array', async () => {
    const { ran, run } = runner([]);
    await insertMany(run, agents, [sampleAgent({ name: 'a "b" \\ {c},d' })], 'acme');
    expect(ran[0]?.values).toContain('{"a \\"b\\" \\\\ {c},d"}');
  });
});

describe('insertOwned', () => {
  it('sends the organization of each record', async () => {
    const { ran, run } = runner([]);
    await insertOwned(
      run,
      agents,
      agentsOf(2).map((record, n) => ({ orgId: `org-${n}`, record })),
    );
    expect(ran[0]?.text).toContain('"owner_id"');
    expect(ran[0]?.values).toContain('{"org-0","org-1"}');
  });
});

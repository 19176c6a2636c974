import { describe, expect, it } from 'vitest';
import { SqlCluster } from '../../src/cluster/sql-cluster.ts';
import type { Driver, Result, SqlConnection } from '../../src/sql/connection.ts';

const node = { id: 'n1', name: 'node-1', isDraining: false, calls: 2 };

function setUp(answers: readonly Partial<Result>[] = [], schema = 'va') {
  const ran: { text: string; values: readonly unknown[] }[] = [];
  let transactions = 0;
  const query: SqlConnection['query'] = async (text, values) => {
    const { rows = [], rowCount = rows.length } = answers[ran.length] ?? {};
    ran.push({ text: text.replaceAll(/\s+/g, ' '), values });
    return { rows, rowCount };
  };
  const transaction: Driver['transaction'] = async (work) => {
    transactions += 1;
    return await work({ query });
  };
  const driver = { query, transaction } as Driver;
  const cluster = new SqlCluster({ schema, driver: () => driver, notifications: true });
  return { cluster, ran, transactions: () => transactions };
}

describe('the lease of a node', () => {
  it('ends by the clock of the database', async () => {
    const { cluster, ran } = setUp();
    await cluster.join(node, 30_000);
    expect(ran[0]?.text).toMatch(
      /^insert into "va"\."nodes" \(.*\) values \(.*now\(\) \+ \$\d::float8 \* interval '1 ms'\)$/,
    );
    expect(ran[0]?.values).toEqual(['n1', 'node-1', false, 2, null, 30_000]);
  });

  it.each([
    [1, true],
    [0, false],
  ])('is renewed for %i rows: %j', async (rowCount, isRenewed) => {
    const { cluster, ran } = setUp([{ rowCount }]);
    expect(await cluster.renew(node, 30_000)).toBe(isRenewed);
    expect(ran[0]?.text).toMatch(/^update "va"\."nodes" set .* where "lost_at" is null and "id" = \$\d$/);
  });

  it('publishes the details of the node as JSON', async () => {
    const { cluster, ran } = setUp();
    const details = { version: '1' } as never;
    await cluster.renew({ ...node, details }, 1);
    expect(ran[0]?.values).toContain('{"version":"1"}');
  });

  it('that has expired makes the node lost, once for all nodes that look', async () => {
    const { cluster, ran } = setUp([{ rowCount: 1 }, { rows: [{ id: 'n2' }, { id: 'n3' }] }]);
    expect(await cluster.takeLost()).toEqual(['n2', 'n3']);
    expect(ran[0]?.text).toBe(
      'update "va"."nodes" set "lost_at" = now() where "lost_at" is null and "expires_at" < now()',
    );
  });

  it('ends with the node', async () => {
    const { cluster, ran } = setUp();
    await cluster.remove('n1');
    expect(ran).toEqual([{ text: 'delete from "va"."nodes" where "id" = $1', values: ['n1'] }]);
  });
});

describe('the nodes', () => {
  const row = {
    ...{ id: 'n1', name: 'node-1', is_draining: true, calls: '3', started_at: 's', expires_at: 'e' },
    ...{ renewed_at: 'r', details: null, is_expired: false },
  };

  it('are read without those that are lost, the oldest first', async () => {
    const { cluster, ran } = setUp([{ rows: [row] }]);
    expect(await cluster.nodes()).toEqual([
      {
        ...{ id: 'n1', name: 'node-1', isDraining: true, calls: 3, startedAt: 's', expiresAt: 'e' },
        ...{ renewedAt: 'r', isExpired: false, details: null },
      },
    ]);
    expect(ran[0]?.text).toMatch(/where "lost_at" is null order by "started_at", "id"$/);
  });

  it.each([[{ written: 'by another version' }], ['text'], [5], [null]])(
    'have no details that are %j',
    async (details) => {
      const { cluster } = setUp([{ rows: [{ ...row, details, renewed_at: null }] }]);
      expect(await cluster.nodes()).toMatchObject([{ details: null, renewedAt: null }]);
    },
  );
});

describe('call slots', () => {
  it('without a limit are held in one statement', async () => {
    const { cluster, ran, transactions } = setUp([{ rowCount: 1 }]);
    expect(await cluster.holdCallSlots('n1', 3, null)).toBe(true);
    expect([ran.length, transactions()]).toEqual([1, 0]);
    expect(ran[0]).toEqual({
      text: 'update "va"."nodes" set "seats" = $1 where "lost_at" is null and "id" = $2',
      values: [3, 'n1'],
    });
  });

  it.each([
    [1, true],
    [0, false],
  ])('with a limit are counted under a lock; for %i rows: %j', async (rowCount, isHeld) => {
    const { cluster, ran, transactions } = setUp([{}, { rowCount }]);
    expect(await cluster.holdCallSlots('n1', 3, 10)).toBe(isHeld);
    expect(transactions()).toBe(1);
    expect(ran[0]).toEqual({
      text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: ['va.nodes.seats'],
    });
    expect(ran[1]?.text).toContain(
      '$3 + (select coalesce(sum("seats"), 0) as "seats" from "va"."nodes" ' +
        'where "id" <> $4 and "lost_at" is null) <= $5',
    );
    expect(ran[1]?.values).toEqual([3, 'n1', 3, 'n1', 10]);
  });
});

describe('the health of trunks', () => {
  const health = { state: 'up', checked_at: '2026-01-01T00:00:00.000Z' };

  it('is published as JSON by a node that is not lost', async () => {
    const { cluster, ran } = setUp();
    await cluster.publishTrunkHealth('n1', { t1: health as never });
    expect(ran[0]?.text).toMatch(/^update "va"\."nodes" set "trunks" = \$1 where "lost_at" is null and "id" = \$2$/);
    expect(ran[0]?.values).toEqual([JSON.stringify({ t1: health }), 'n1']);
  });

  it('is read from the nodes with a lease, without what another version wrote', async () => {
    const rows = [{ id: 'n1', key: 't1', value: { state: 'no such state' } }];
    const { cluster, ran } = setUp([{ rows }]);
    expect(await cluster.trunkHealth(['t1', 't2'])).toEqual([]);
    expect(ran[0]?.text).toContain('where t.key = any($1::text[]) and n.lost_at is null and n.expires_at >= now()');
    expect(ran[0]?.values).toEqual([['t1', 't2']]);
  });

  it('is read from the schema of the storage, whatever its name', async () => {
    const { cluster, ran } = setUp([], 'my "va"');
    await cluster.trunkHealth([]);
    expect(ran[0]?.text).toContain('from "my ""va""".nodes n');
  });
});

describe('SqlCluster.subscribe', () => {
  function listening(notifications = true) {
    const messages: string[] = [];
    let receive: (text: string) => void = () => {};
    const channels: string[] = [];
    const listen: Driver['listen'] = async (channel, on) => {
      channels.push(channel);
      receive = on.payload;
      return { check: async () => {}, close: () => {} };
    };
    const schema = 'a'.repeat(63);
    const cluster = new SqlCluster({ schema, driver: () => ({ listen }) as unknown as Driver, notifications });
    const close = cluster.subscribe({
      connected: () => messages.push('connected'),
      message: (topic, id) => messages.push(`${topic} ${id}`),
    });
    return { messages, channels, close, receive: (text: string) => receive(text) };
  }

  it('passes on each id of a payload, from a channel whose name PostgreSQL accepts', async () => {
    const { messages, channels, close, receive } = listening();
    await new Promise((resolve) => setImmediate(resolve));
    receive('stored a b');
    receive('stored');
    expect(messages.filter((message) => message !== 'connected')).toEqual(['stored a', 'stored b']);
    expect(channels.map((channel) => channel.length)).toEqual([63]);
    await close();
  });

  it('listens to nothing when the processes poll', async () => {
    const { channels, close } = listening(false);
    await close();
    expect(channels).toEqual([]);
  });
});

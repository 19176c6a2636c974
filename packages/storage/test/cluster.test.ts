import {
  type Cluster,
  type NodeState,
  type Storage,
  systemClock,
  systemRandom,
  unknownTrunkHealth,
  uuidv7,
  uuidv7Sequence,
} from '@va/core/adapter';
import { postgres } from '@va/storage/postgres';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

let server: PostgresServer;
let pool: pg.Pool;
const opened: Storage[] = [];
/** Nodes that join within a millisecond are listed by id. */
const nextNodeId = uuidv7Sequence(systemClock, systemRandom);

beforeAll(async () => {
  server = await startPostgres();
  pool = server.openPool();
});
afterEach(async () => {
  const [first] = opened;
  const cluster = first?.cluster;
  for (const { id } of (await cluster?.nodes()) ?? []) await cluster?.remove(id);
  for (const id of (await cluster?.takeLost()) ?? []) await cluster?.remove(id);
  for (const storage of opened.splice(0)) await storage.close();
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

async function openCluster(options: { notifications?: boolean } = {}): Promise<Cluster> {
  const storage = postgres({ connectionString: server.connectionString, migrations: 'auto', ...options });
  await storage.start();
  opened.push(storage);
  if (storage.cluster === undefined) throw new Error('Processes can share PostgreSQL.');
  return storage.cluster;
}

function newNode(changes: Partial<NodeState> = {}): NodeState {
  return { id: nextNodeId(), name: 'a', isDraining: false, calls: 0, ...changes };
}

/** Moves the times of all nodes into the past, because leases go by the clock of the database server. */
async function passTime(ms: number): Promise<void> {
  await pool.query(
    `update va.nodes set started_at = started_at - ago, renewed_at = renewed_at - ago, expires_at = expires_at - ago
      from (select $1::float8 * interval '1 ms' as ago) as passed`,
    [ms],
  );
}

describe('nodes on one database', () => {
  it('see each other’s state', async () => {
    const [here, there] = [await openCluster(), await openCluster()];
    const [first, second] = [newNode({ name: 'first' }), newNode({ name: 'second' })];
    await here.join(first, 60_000);
    await there.join(second, 60_000);
    expect(await there.renew({ ...second, isDraining: true, calls: 7 }, 60_000)).toBe(true);
    const nodes = await here.nodes();
    expect(nodes).toMatchObject([first, { ...second, isDraining: true, calls: 7 }]);
    for (const { startedAt, expiresAt } of nodes) {
      expect(Date.parse(expiresAt) - Date.parse(startedAt)).toBeGreaterThanOrEqual(60_000);
    }
  });

  it('see each other’s details, and whether a lease has expired', async () => {
    const [here, there] = [await openCluster(), await openCluster()];
    const details = {
      ...{ version: '1.2.3', is_starting: true, max_calls: 10, event_loop_lag_ms: 3 },
      ...{ providers: [], registrations: [], recent_job_failures: { mails: 2 } },
    };
    const [first, second] = [newNode({ details }), newNode()];
    await here.join(first, 30_000);
    await there.join(second, 60_000);
    await passTime(30_001);
    const [one, other] = await there.nodes();
    expect(one).toMatchObject({ details, isExpired: true, renewedAt: one?.startedAt });
    expect(other).toMatchObject({ details: null, isExpired: false });
    await there.renew(second, 60_000);
    const [, renewed] = await there.nodes();
    expect(Date.parse(renewed?.renewedAt ?? '')).toBeGreaterThan(Date.parse(renewed?.startedAt ?? ''));
  });

  it('read the published health of trunks by id, of live nodes only', async () => {
    const [here, there] = [await openCluster(), await openCluster()];
    const [first, second] = [newNode(), newNode()];
    await here.join(first, 60_000);
    await there.join(second, 60_000);
    const health = { ...unknownTrunkHealth, state: 'reachable', round_trip_ms: 12 } as const;
    await here.publishTrunkHealth?.(first.id, { a: health, b: health });
    await there.publishTrunkHealth?.(second.id, { b: { ...health, round_trip_ms: 40 } });
    const found = await there.trunkHealth?.(['b', 'c']);
    // The order is not defined.
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        { nodeId: first.id, trunkId: 'b', health },
        { nodeId: second.id, trunkId: 'b', health: { ...health, round_trip_ms: 40 } },
      ]),
    );
    await here.publishTrunkHealth?.(first.id, {});
    expect(await there.trunkHealth?.(['a'])).toEqual([]);
    await there.remove(second.id);
    expect(await here.trunkHealth?.(['a', 'b'])).toEqual([]);
  });

  it('are lost after their lease has expired, and stay lost', async () => {
    const [here, there] = [await openCluster(), await openCluster()];
    const [lasting, brief] = [newNode(), newNode()];
    await here.join(lasting, 60_000);
    await there.join(brief, 30_000);
    expect(await here.takeLost()).toEqual([]);
    await passTime(30_001);
    expect(await here.takeLost()).toEqual([brief.id]);
    expect(await here.nodes()).toMatchObject([{ id: lasting.id }]);
    expect(await there.renew(brief, 60_000)).toBe(false);
    expect(await here.takeLost()).toEqual([brief.id]);
    await here.remove(brief.id);
    expect(await here.takeLost()).toEqual([]);
    expect(await there.renew(brief, 60_000)).toBe(false);
  });

  it('can renew an expired lease until another node declares them lost', async () => {
    const cluster = await openCluster();
    const node = newNode();
    await cluster.join(node, 30_000);
    await passTime(30_001);
    expect(await cluster.renew(node, 60_000)).toBe(true);
    expect(await cluster.takeLost()).toEqual([]);
  });

  it('hold no more call slots together than the limit, whatever is requested at once', async () => {
    const clusters = await Promise.all(Array.from({ length: 4 }, () => openCluster()));
    const nodes = clusters.map(() => newNode());
    const held = nodes.map(() => 0);
    await Promise.all(clusters.map((cluster, n) => cluster.join(nodes[n] ?? newNode(), 60_000)));
    const takeAll = async (cluster: Cluster, n: number): Promise<void> => {
      for (let tries = 0; tries < 10; tries += 1) {
        const id = nodes[n]?.id ?? '';
        if (await cluster.holdCallSlots(id, (held[n] ?? 0) + 1, 17)) held[n] = (held[n] ?? 0) + 1;
      }
    };
    await Promise.all(clusters.map(takeAll));
    expect(held.reduce((sum, each) => sum + each)).toBe(17);
    const [cluster] = clusters;
    const [first, second] = nodes;
    if (cluster === undefined || first === undefined || second === undefined) throw new Error('There are four.');
    expect(await cluster.holdCallSlots(first.id, 17, 17)).toBe(false);
    expect(await cluster.holdCallSlots(second.id, 0, null)).toBe(true);
    expect(await cluster.holdCallSlots(first.id, (held[0] ?? 0) + (held[1] ?? 0), 17)).toBe(true);
  });

  it('can hold the call slots of a lost node, which can hold none', async () => {
    const cluster = await openCluster();
    const [lost, other] = [newNode(), newNode()];
    await cluster.join(lost, 30_000);
    await cluster.join(other, 60_000);
    expect(await cluster.holdCallSlots(lost.id, 5, 5)).toBe(true);
    expect(await cluster.holdCallSlots(other.id, 1, 5)).toBe(false);
    await passTime(30_001);
    await cluster.takeLost();
    expect(await cluster.holdCallSlots(other.id, 5, 5)).toBe(true);
    expect(await cluster.holdCallSlots(lost.id, 0, 5)).toBe(false);
  });
});

describe('messages between nodes', () => {
  function listen(cluster: Cluster): { heard: string[]; connected: () => number; close: () => Promise<void> } {
    const heard: string[] = [];
    let connected = 0;
    const close = cluster.subscribe({
      message: (topic, id) => void heard.push(`${topic} ${id}`),
      connected() {
        connected += 1;
      },
    });
    return { heard, connected: () => connected, close };
  }

  it('reach all nodes in order, the sender included', async () => {
    const [here, there] = [await openCluster(), await openCluster()];
    const listeners = [listen(here), listen(there)];
    await vi.waitFor(() => expect(listeners.map((each) => each.connected())).toEqual([1, 1]));
    await here.publish('stored', ['a', 'b']);
    await there.publish('command', ['c']);
    for (const { heard } of listeners) {
      await vi.waitFor(() => expect(heard).toEqual(['stored a', 'stored b', 'command c']));
    }
    for (const { close } of listeners) await close();
  });

  it('are split if they exceed the payload of a notification', async () => {
    const cluster = await openCluster();
    const { heard, connected, close } = listen(cluster);
    await vi.waitFor(() => expect(connected()).toBe(1));
    const ids = Array.from({ length: 2_000 }, (_, n) => `${uuidv7(systemClock)}/${n}`);
    await cluster.publish('stored', ids);
    await vi.waitFor(() => expect(heard).toHaveLength(2_000));
    expect(heard).toEqual(ids.map((id) => `stored ${id}`));
    await close();
  });

  it('arrive again after a broken connection, and the listener is notified of it', async () => {
    const cluster = await openCluster();
    const { heard, connected, close } = listen(cluster);
    await vi.waitFor(() => expect(connected()).toBe(1));
    await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'");
    await vi.waitFor(() => expect(connected()).toBe(2));
    await cluster.publish('stored', ['a']);
    await vi.waitFor(() => expect(heard).toEqual(['stored a']));
    await close();
  });

  it('leave no connection open without listeners', async () => {
    const cluster = await openCluster();
    const { connected, close } = listen(cluster);
    await vi.waitFor(() => expect(connected()).toBe(1));
    await close();
    await vi.waitFor(async () => {
      const { rows } = await pool.query("select 1 from pg_stat_activity where query like 'listen %'");
      expect(rows).toHaveLength(0);
    });
  });

  it('are not sent when notifications are off', async () => {
    const [silent, speaking] = [await openCluster({ notifications: false }), await openCluster()];
    const [deaf, hearing] = [listen(silent), listen(speaking)];
    await vi.waitFor(() => expect(hearing.connected()).toBe(1));
    await silent.publish('stored', ['a']);
    await speaking.publish('stored', ['b']);
    // Notifications arrive in the order of their commits: a notification of `a` would have come before this one.
    await vi.waitFor(() => expect(hearing.heard).toEqual(['stored b']));
    expect([deaf.heard, deaf.connected()]).toEqual([[], 0]);
    for (const { close } of [deaf, hearing]) await close();
  });
});

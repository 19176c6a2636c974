import { unknownTrunkHealth } from '@va/core/adapter';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { callTo, newNumber, newOrganization, nodeLimits, startNode, type TestNode } from './support.ts';

let server: PostgresServer;
const started: TestNode[] = [];
beforeAll(async () => {
  server = await startPostgres();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ va }) => va.close({ drainMs: 100 })));
});
afterAll(() => server.stop());

async function start(options: Parameters<typeof startNode>[1] = {}): Promise<TestNode> {
  const node = await startNode(server.connectionString, options);
  started.push(node);
  return node;
}

async function answered({ va }: TestNode, orgId: string, count: number): Promise<void> {
  await vi.waitFor(async () => {
    expect((await va.operations.calls.list(orgId, { status: 'in-progress' })).calls).toHaveLength(count);
  });
}

describe('a node', () => {
  it('is listed with its calls by other nodes until it closes', async () => {
    const cluster = { leaseMs: 600 };
    const [here, there] = [await start({ cluster }), await start({ cluster: { ...cluster, nodeName: 'second' } })];
    const number = newNumber();
    const orgId = await newOrganization(here, number);
    const caller = callTo(there, number);
    await answered(here, orgId, 1);
    await vi.waitFor(async () => {
      expect(await here.va.nodes()).toMatchObject([{ calls: 0 }, { name: 'second', calls: 1, isDraining: false }]);
    });
    await vi.waitFor(async () => {
      const { nodes } = await here.va.deployment();
      expect(nodes).toMatchObject([
        { state: 'serving', is_answering: true, calls: 0 },
        { state: 'serving', is_answering: false, calls: 1, name: 'second', max_calls: 200 },
      ]);
      expect(nodes[1]?.providers.map(({ provider }) => provider)).toEqual(['scripted', 'scripted', 'scripted']);
    });
    const closing = there.va.close({ drainMs: 5_000 });
    await vi.waitFor(async () => {
      expect(await here.va.nodes()).toMatchObject([{}, { name: 'second', isDraining: true }]);
    });
    // A draining node finishes its current calls.
    expect(callTo(there, number).rejected).toBe('overloaded');
    caller.leave();
    await closing;
    expect(await here.va.nodes()).toMatchObject([{ calls: 0 }]);
    const { calls } = await here.va.operations.calls.list(orgId);
    expect(calls.at(-1)).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
  });

  it('combines its own trunk health with that published by other nodes', async () => {
    const clock = { leaseMs: 600 };
    const [here, there] = [await start({ cluster: clock }), await start({ cluster: clock })];
    const orgId = await newOrganization(here, newNumber());
    const { id } = await here.va.operations.trunks.create(orgId, { name: 'T', provider: 'p', address: 'a.test' });
    const facts = { state: 'reachable', since: '2026-01-01T12:00:00.000Z', round_trip_ms: 7 } as const;
    here.telephony.trunkHealth.set(id, facts);
    const [, other] = await here.va.nodes();
    const published = { ...unknownTrunkHealth, ...facts, state: 'unreachable', round_trip_ms: null } as const;
    await there.storage.cluster?.publishTrunkHealth?.(other?.id ?? '', { [id]: published });
    await vi.waitFor(async () => {
      expect(await here.va.operations.trunks.health(orgId, id)).toMatchObject({
        state: 'degraded',
        nodes: [
          { state: 'reachable', round_trip_ms: 7 },
          { state: 'unreachable', node_id: other?.id },
        ],
      });
    });
  });

  it('refuses outbound calls while it closes', async () => {
    const node = await start();
    const number = newNumber();
    const orgId = await newOrganization(node, number);
    await node.va.operations.trunks.create(orgId, { name: 'T', provider: 'p', address: 'a.test', numbers: [number] });
    const caller = callTo(node, number);
    await answered(node, orgId, 1);
    const closing = node.va.close({ drainMs: 2_000 });
    const [agent] = await node.va.operations.agents.list(orgId);
    const call = { destination: '+31687654321', agent_id: agent?.id };
    await expect(node.va.operations.calls.place(orgId, call)).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 5,
    });
    caller.leave();
    await closing;
  });

  it('that was declared dead ends its calls, which are stored as worker_lost, and then takes new ones', async () => {
    const [stalled, other] = [await start({ cluster: { leaseMs: 1_500 } }), await start({ cluster: { leaseMs: 600 } })];
    const number = newNumber();
    const orgId = await newOrganization(stalled, number);
    const caller = callTo(stalled, number);
    await answered(stalled, orgId, 1);
    const { cluster } = other.storage;
    const before = (await cluster?.nodes()) ?? [];
    const own = before.find(({ calls, id }) => calls === 1 || id === before[0]?.id);
    const pool = server.openPool();
    await pool.query("update va.nodes set expires_at = now() - interval '1 s' where id = $1", [own?.id]);
    await cluster?.takeLost();
    await vi.waitFor(() => expect(caller.end).not.toBeNull());
    await vi.waitFor(async () => {
      const { calls } = await other.va.operations.calls.list(orgId);
      expect(calls).toMatchObject([{ status: 'failed', end_reason: 'worker_lost' }]);
    });
    const { logs } = await other.va.operations.usage.list(orgId);
    expect(logs).toHaveLength(1);
    callTo(stalled, number);
    await answered(other, orgId, 1);
    await vi.waitFor(async () => expect(await cluster?.nodes()).toHaveLength(2));
    await pool.end();
  });
});

it('limits simultaneous outbound calls to the capacity of the process', async () => {
  const node = await start({
    limits: { ...nodeLimits, maxConcurrentCalls: 3 },
  });
  const number = newNumber();
  const orgId = await newOrganization(node, number);
  await node.va.operations.trunks.create(orgId, { name: 'T', provider: 'p', address: 'a.test', numbers: [number] });
  const [agent] = await node.va.operations.agents.list(orgId);
  const call = { destination: '+31687654321', agent_id: agent?.id };
  const placed = await Promise.allSettled(Array.from({ length: 8 }, () => node.va.operations.calls.place(orgId, call)));
  expect(placed.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(node.va.activeCalls).toBe(3);
});

describe('the calls of all nodes together', () => {
  it('are limited to the capacity of the deployment, inbound and outbound', async () => {
    const options = { cluster: { leaseMs: 900, maxConcurrentCalls: 5 } };
    const nodes = [await start(options), await start(options), await start(options)];
    const [first] = nodes;
    if (first === undefined) throw new Error('expected three nodes');
    const number = newNumber();
    const orgId = await newOrganization(first, number);
    await first.va.operations.trunks.create(orgId, { name: 'T', provider: 'p', address: 'a.test', numbers: [number] });
    const callers = nodes.flatMap((node) => [callTo(node, number), callTo(node, number), callTo(node, number)]);
    await answered(first, orgId, 5);
    await vi.waitFor(() => {
      expect(callers.filter(({ rejected }) => rejected === 'overloaded')).toHaveLength(4);
    });
    const [agent] = await first.va.operations.agents.list(orgId);
    const outbound = { destination: '+31687654321', agent_id: agent?.id };
    await expect(first.va.operations.calls.place(orgId, outbound)).rejects.toMatchObject({ status: 503 });

    callers.find(({ answered: isAnswered }) => isAnswered)?.leave();
    await vi.waitFor(async () => {
      expect(await first.va.operations.calls.place(orgId, outbound)).toMatchObject({ success: true });
    });
    expect(callTo(first, number).rejected).toBeNull();
    await vi.waitFor(async () => {
      const { calls } = await first.va.operations.calls.list(orgId, { status: 'queued,connecting,in-progress' });
      expect(calls).toHaveLength(5);
    });
  });
});

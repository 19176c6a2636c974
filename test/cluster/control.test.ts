import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callTo, newNumber, newOrganization, startNode, type TestNode } from './support.ts';

let server: PostgresServer;
let nodes: TestNode[];
beforeAll(async () => {
  server = await startPostgres();
  nodes = [];
  for (const notifications of [true, true, false]) {
    nodes.push(await startNode(server.connectionString, { notifications, cluster: { leaseMs: 3_000 } }));
  }
});
afterAll(async () => {
  await Promise.all(nodes.map(({ va }) => va.close({ drainMs: 100 })));
  await server.stop();
});

function nodeOf(at: number): TestNode {
  const node = nodes[at];
  if (node === undefined) throw new Error('the node is not started');
  return node;
}

/** Starts a call that node 0 answers. */
async function liveCall(): Promise<{ orgId: string; id: string; caller: ReturnType<typeof callTo> }> {
  const [owner] = [nodeOf(0)];
  const number = newNumber();
  const orgId = await newOrganization(owner, number);
  const caller = callTo(owner, number);
  const id = await vi.waitFor(async () => {
    const { calls } = await owner.va.operations.calls.list(orgId, { status: 'in-progress' });
    const [call] = calls;
    if (call === undefined) throw new Error('the call was not answered');
    return call.id;
  });
  return { orgId, id, caller };
}

describe.each([
  ['that gets database notifications', 1],
  ['that has to poll the database', 2],
])('a command sent to a node %s', (_title, at) => {
  it('is executed on the node of the call, and its result is returned', async () => {
    const { orgId, id, caller } = await liveCall();
    const { calls } = nodeOf(at).va.operations;
    const told = await calls.control(orgId, id, { type: 'set-variables', command_id: 'one', variables: { table: 4 } });
    expect(told).toEqual({ success: true, message: 'The variables are set.', command_id: 'one' });
    expect((await calls.get(orgId, id)).variables).toEqual({ table: 4 });
    expect(await calls.control(orgId, id, { type: 'say', content: 'One moment.' })).toMatchObject({ success: true });
    expect(await calls.control(orgId, id, { type: 'send-dtmf', digits: '1' })).toMatchObject({ success: true });
    caller.leave();
  });

  it('ends the call', async () => {
    const { orgId, id, caller } = await liveCall();
    const { calls } = nodeOf(at).va.operations;
    expect(await calls.control(orgId, id, { type: 'end-call' })).toMatchObject({ message: 'The call is ending.' });
    await vi.waitFor(async () => {
      expect(await calls.get(orgId, id)).toMatchObject({ status: 'ended', end_reason: 'api_hangup' });
    });
    expect(caller.end).not.toBeNull();
    await expect(calls.control(orgId, id, { type: 'end-call' })).rejects.toMatchObject({ code: 'call_not_active' });
  });

  it('is executed once when it is sent several times to several nodes', async () => {
    const { orgId, id, caller } = await liveCall();
    const said = { type: 'say', content: 'Once.', command_id: 'the-same' } as const;
    const given = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => nodeOf(n % 3).va.operations.calls.control(orgId, id, said)),
    );
    const refused = given.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(refused.length === 0 ? [] : ['idempotency_in_progress']));
    expect(await nodeOf(at).va.operations.calls.control(orgId, id, said)).toMatchObject({ command_id: 'the-same' });
    const { storage } = nodeOf(0);
    const kept = await storage.callCommands.list(orgId, { where: { call_id: id }, limit: 10 });
    expect(kept).toHaveLength(1);
    caller.leave();
  });

  it('is refused with the reason of the node of the call', async () => {
    const { orgId, id, caller } = await liveCall();
    const transfer = { type: 'transfer', destination: '+31201111111' } as const;
    await expect(nodeOf(at).va.operations.calls.control(orgId, id, transfer)).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
      message: 'The telephony adapter of the call does not support transfer.',
    });
    caller.leave();
  });
});

describe('a command for a call whose node does not respond', () => {
  it('is withdrawn and can be sent again', async () => {
    const { orgId, id, caller } = await liveCall();
    const { storage, va } = nodeOf(1);
    // A node that is registered but does nothing.
    const stalled = '00000000-0000-7000-8000-000000000000';
    const { node_id: owner = null } = (await storage.calls.get(orgId, id)) ?? {};
    await storage.calls.update(orgId, id, { node_id: stalled });
    const command = { type: 'say', content: 'Hello?', command_id: 'again' } as const;
    await expect(va.operations.calls.control(orgId, id, command)).rejects.toMatchObject({
      status: 503,
      message: 'The node running this call does not respond.',
    });
    await storage.calls.update(orgId, id, { node_id: owner });
    expect(await va.operations.calls.control(orgId, id, command)).toMatchObject({ command_id: 'again' });
    caller.leave();
  });

  it('is refused when the call ends while the command waits', async () => {
    const { orgId, id, caller } = await liveCall();
    const { storage, va } = nodeOf(1);
    await storage.calls.update(orgId, id, { node_id: '00000000-0000-7000-8000-000000000000' });
    const refused = expect(va.operations.calls.control(orgId, id, { type: 'end-call' })).rejects.toMatchObject({
      status: 409,
      code: 'call_not_active',
    });
    caller.leave();
    await refused;
  });
});

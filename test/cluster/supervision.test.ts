import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import type { ScriptedIncomingCall } from '@va/testkit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { callTo, newNumber, newOrganization, startNode, type TestNode } from './support.ts';

const publicUrl = 'https://voice.example.com';
const ownUrl = 'wss://node-1.example.com/voice/telephony/web/calls';

let server: PostgresServer;
let owner: TestNode;
let other: TestNode;
beforeAll(async () => {
  server = await startPostgres();
  const cluster = { leaseMs: 3_000 };
  owner = await startNode(server.connectionString, { cluster, publicUrl, webCallUrl: ownUrl });
  other = await startNode(server.connectionString, { cluster, publicUrl });
});
afterAll(async () => {
  await Promise.all([owner, other].map(({ va }) => va.close({ drainMs: 100 })));
  await server.stop();
});

/** Starts a call that a node answers. */
async function liveCall(node: TestNode): Promise<{ orgId: string; id: string; caller: ScriptedIncomingCall }> {
  const number = newNumber();
  const orgId = await newOrganization(node, number);
  const caller = callTo(node, number);
  const id = await vi.waitFor(async () => {
    const { calls } = await node.va.operations.calls.list(orgId, { status: 'in-progress' });
    const [call] = calls;
    if (call === undefined) throw new Error('the call was not answered');
    return call.id;
  });
  return { orgId, id, caller };
}

it('a supervisor is sent to the node that runs the call, whichever node was asked', async () => {
  const { orgId, id, caller } = await liveCall(owner);
  // The other node learns of the owner by its next heartbeat.
  const supervision = await vi.waitFor(() => other.va.operations.calls.supervise(orgId, id, 'listen'));
  expect(supervision).toMatchObject({ call_id: id, url: ownUrl });
  const person = await owner.telephony.ringWeb(supervision.token);
  await vi.waitFor(() => expect(person?.sent.length).toBeGreaterThan(5));
  caller.leave();
  await vi.waitFor(() => expect(person?.end).toEqual({ cause: 'local-hangup' }));
});

it('a supervisor who connects to another node is rejected, and the token is used up', async () => {
  const { orgId, id, caller } = await liveCall(owner);
  const { token } = await owner.va.operations.calls.supervise(orgId, id, 'talk');
  const person = await other.telephony.ringWeb(token);
  await vi.waitFor(() => expect(person?.end).toEqual({ cause: 'local-hangup' }));
  expect(await owner.telephony.ringWeb(token)).toBeNull();
  caller.leave();
});

it('a call of a node that browsers cannot reach cannot be joined', async () => {
  const { orgId, id, caller } = await liveCall(other);
  for (const { va } of [owner, other]) {
    await vi.waitFor(() =>
      expect(va.operations.calls.supervise(orgId, id, 'listen')).rejects.toMatchObject({
        status: 503,
        code: 'unavailable',
      }),
    );
  }
  caller.leave();
});

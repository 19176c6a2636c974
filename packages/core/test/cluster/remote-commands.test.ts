import { memory } from '@va/storage/memory';
import { sampleCall, silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { RemoteCommands } from '../../src/cluster/remote-commands.ts';
import type { CallCommandRecord, CommandOutcome } from '../../src/domain/calls/call-control.ts';
import { RequestError } from '../../src/errors.ts';
import type { Storage } from '../../src/ports/storage/storage.ts';
import { organizationOf, orgId } from '../operations/support.ts';
import { ScriptedCluster } from './scripted-cluster.ts';

const callId = '00000000-0000-7000-8000-000000000001';
const commandId = '00000000-0000-7000-8000-000000000002';
const done: CommandOutcome = { message: 'said' };
const notActive = { status: 409, code: 'call_not_active' };

let clock: VirtualClock;
let cluster: ScriptedCluster;
let storage: Storage;
let executed: string[];
let logged: string[];
let outcome: () => CommandOutcome | Promise<CommandOutcome>;
let record: CallCommandRecord;

beforeEach(async () => {
  clock = new VirtualClock();
  cluster = new ScriptedCluster();
  storage = memory();
  [executed, logged, outcome] = [[], [], () => done];
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
  await storage.calls.insert(orgId, sampleCall({ id: callId, status: 'in-progress', node_id: 'theirs' }));
  record = {
    id: commandId,
    call_id: callId,
    command_id: 'c-1',
    type: 'say',
    command: {},
    answer: null,
    node_id: 'theirs',
    traceparent: null,
    created_at: '2026-01-01T09:00:00.000Z',
  };
  await storage.callCommands.insert(orgId, record);
});

/** The commands of one process, subscribed to the notifications of the cluster. */
function commandsOf(nodeId: string, { isAlone = false, isDeaf = false } = {}): RemoteCommands {
  const log = (_fields: object, message: string): void => void logged.push(message);
  const commands = new RemoteCommands({
    storage,
    cluster,
    clock,
    logger: { ...silentLogger, warn: log, debug: log },
    nodeId: () => nodeId,
    isAlone: () => isAlone,
    carryOut: async ({ id }) => {
      executed.push(id);
      return await outcome();
    },
  });
  if (isDeaf) return commands;
  cluster.subscribe({
    message: (topic, id) => (topic === 'answer' ? commands.onAnswered(id) : commands.onGiven(id)),
    connected: () => commands.wakeAll(),
  });
  return commands;
}

/** Asks from another process; the results are added when they are there. */
function ask(commands = commandsOf('own')): (CommandOutcome | RequestError)[] {
  const results: (CommandOutcome | RequestError)[] = [];
  commands.ask(orgId, record).then(
    (each) => results.push(each),
    (error: RequestError) => results.push(error),
  );
  return results;
}

describe('a command on a call of another process', () => {
  it('is executed by the process of the call, and returns the outcome without delay', async () => {
    commandsOf('theirs');
    const results = ask();
    await clock.advance(0);
    expect(results).toEqual([done]);
    expect(executed).toEqual([commandId]);
    expect(cluster.published).toEqual([
      ['command', 'theirs'],
      ['answer', commandId],
    ]);
    expect(await storage.callCommands.get(orgId, commandId)).toMatchObject({ node_id: null, answer: done });
  });

  it('returns the refusal of the process of the call', async () => {
    const refusal = { status: 409, code: 'no_speech', message: 'The agent is muted.' };
    outcome = () => refusal;
    commandsOf('theirs');
    const results = ask();
    await clock.advance(0);
    expect(results).toEqual([refusal]);
  });

  it('is not taken by another process', async () => {
    commandsOf('third').look();
    await clock.advance(1_000);
    expect(executed).toEqual([]);
    expect((await storage.callCommands.get(orgId, commandId))?.node_id).toBe('theirs');
  });

  it('is executed once, however often it is looked for', async () => {
    const theirs = commandsOf('theirs');
    for (let n = 0; n < 3; n += 1) theirs.look();
    theirs.onGiven('theirs');
    await clock.advance(0);
    expect(executed).toEqual([commandId]);
  });

  it('is found within a second by each side if notifications are lost', async () => {
    cluster.before = () => Promise.reject(new Error('no connection'));
    commandsOf('theirs', { isDeaf: true }).start();
    const results = ask(commandsOf('own', { isDeaf: true }));
    await clock.advance(999);
    expect(executed).toEqual([]);
    await clock.advance(1);
    expect(executed).toEqual([commandId]);
    await clock.advance(1_000);
    expect(results).toEqual([done]);
    expect(logged).toEqual([
      'failed to notify a node of a command',
      'failed to notify a node of the result of a command',
    ]);
  });

  it('is withdrawn and can be repeated if it is not taken within 10 s', async () => {
    const results = ask();
    await clock.advance(9_999);
    expect(results).toEqual([]);
    await clock.advance(1);
    expect(results).toMatchObject([{ status: 503, code: 'unavailable' }]);
    expect(await storage.callCommands.get(orgId, commandId)).toBeNull();
    commandsOf('theirs').look();
    await clock.advance(0);
    expect(executed).toEqual([]);
  });

  it('fails if it is taken and not answered within 10 s', async () => {
    outcome = () => new Promise(() => {});
    commandsOf('theirs');
    const results = ask();
    await clock.advance(10_000);
    expect(results[0]).toBeInstanceOf(RequestError);
    expect(results).toMatchObject([{ status: 503, code: 'unavailable' }]);
    expect(await storage.callCommands.get(orgId, commandId)).toMatchObject({ node_id: null, answer: null });
  });

  it.each(['ended', 'failed'] as const)('is refused once the call has %s', async (status) => {
    const results = ask();
    await storage.calls.update(orgId, callId, { status });
    await clock.advance(1_000);
    expect(results).toMatchObject([notActive]);
    expect(await storage.callCommands.get(orgId, commandId)).toMatchObject({ node_id: null, answer: notActive });
  });

  it('waits for the outcome of a command that was taken before the call ended', async () => {
    let answer: (each: CommandOutcome) => void = () => {};
    outcome = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    commandsOf('theirs');
    const results = ask();
    await clock.advance(0);
    await storage.calls.update(orgId, callId, { status: 'ended' });
    await clock.advance(2_000);
    expect(results).toEqual([]);
    answer(done);
    await clock.advance(0);
    expect(results).toEqual([done]);
  });

  it('is refused if it was erased together with its call', async () => {
    const results = ask();
    await storage.callCommands.delete(orgId, commandId);
    await clock.advance(1_000);
    expect(results).toMatchObject([notActive]);
  });

  it('is looked for again when the connection is back', async () => {
    const own = commandsOf('own', { isDeaf: true });
    const results = ask(own);
    await clock.advance(0);
    await storage.callCommands.update(orgId, commandId, { node_id: null, answer: { message: 'said' } });
    own.wakeAll();
    await clock.advance(0);
    expect(results).toEqual([done]);
  });
});

describe('RemoteCommands', () => {
  it('looks for nothing while the process is alone', async () => {
    commandsOf('theirs', { isAlone: true }).start();
    await clock.advance(5_000);
    expect(executed).toEqual([]);
  });

  it('waits for commands in progress when it stops, and takes no more', async () => {
    let answer: (each: CommandOutcome) => void = () => {};
    outcome = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const theirs = commandsOf('theirs');
    theirs.start();
    theirs.look();
    await clock.advance(0);
    let hasStopped = false;
    void theirs.stop().then(() => {
      hasStopped = true;
    });
    await storage.callCommands.insert(orgId, { ...record, id: orgId, command_id: 'c-2' });
    theirs.look();
    await clock.advance(5_000);
    expect([hasStopped, executed, clock.pending]).toEqual([false, [commandId], 0]);
    answer(done);
    await clock.advance(0);
    expect(hasStopped).toBe(true);
  });

  it('logs that commands could not be fetched', async () => {
    storage = { ...memory(), across: { ...storage.across, callCommands: unreachable(storage) } };
    commandsOf('theirs').look();
    await clock.advance(0);
    expect(logged).toEqual(['failed to fetch commands for calls of this node']);
  });
});

function unreachable({ across }: Storage): Storage['across']['callCommands'] {
  return { ...across.callCommands, find: () => Promise.reject(new Error('connection lost')) };
}

import { memory } from '@va/storage/memory';
import { sampleCall, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CallControl } from '../../../src/calls/call-control.ts';
import type { CallStatus } from '../../../src/domain/calls/call.ts';
import type { CommandOutcome, NewControlCommand } from '../../../src/domain/calls/call-control.ts';
import { RequestError } from '../../../src/errors.ts';
import { systemRandom } from '../../../src/ids.ts';
import { commandCall } from '../../../src/operations/calls/call-commands.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, organizationOf, orgId, refusal } from '../support.ts';

const endCall: NewControlCommand = { type: 'end-call', command_id: 'c-1' };

let clock: VirtualClock;
let storage: Storage;
let executed: string[];
let asked: string[];
/** Outcome of a command of this process. */
let execute: () => Promise<string>;
/** Process of the call; null for this one. */
let node: string | null;
let answer: CommandOutcome;

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  [executed, asked, node, answer] = [[], [], null, { message: 'done there' }];
  execute = async () => 'done';
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
});

async function command(input: NewControlCommand = endCall, status: CallStatus = 'in-progress') {
  const id = '00000000-0000-7000-8000-000000000001';
  const call = (await storage.calls.get(orgId, id)) ?? sampleCall({ id, status });
  await storage.calls.insert(orgId, call).catch(() => {});
  const control: Pick<CallControl, 'nodeOf' | 'control' | 'ask'> = {
    nodeOf: () => node,
    control: async (_callId, { type }) => {
      executed.push(type);
      return await execute();
    },
    ask: async (_orgId, { command_id }) => {
      asked.push(command_id);
      return answer;
    },
  };
  return await commandCall({ storage, clock, random: systemRandom, control: untyped(control) }, orgId, call, input);
}

describe('commandCall', () => {
  it('executes a command on a call of this process, and stores the outcome', async () => {
    expect(await command()).toEqual({ success: true, message: 'done', command_id: 'c-1' });
    expect(await storage.callCommands.list(orgId, { limit: 2 })).toMatchObject([
      { command_id: 'c-1', type: 'end-call', answer: { message: 'done' }, node_id: null },
    ]);
  });

  it('gives a repeated command the stored outcome', async () => {
    await command();
    execute = async () => 'done twice';
    expect(await command()).toMatchObject({ message: 'done' });
    expect(executed).toEqual(['end-call']);
  });

  it('gives each command without an id one of its own', async () => {
    const [first, second] = [await command({ type: 'end-call' }), await command({ type: 'end-call' })];
    expect(first.command_id).not.toBe(second.command_id);
    expect(executed).toHaveLength(2);
  });

  it('refuses a repetition while the first one is executed', async () => {
    let end: (message: string) => void = () => {};
    execute = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    const first = command();
    await clock.advance(0);
    expect(await refusal(command())).toMatchObject({
      status: 409,
      code: 'idempotency_in_progress',
      retryAfterSeconds: 1,
    });
    end('done');
    expect(await first).toMatchObject({ message: 'done' });
  });

  it('repeats a refusal', async () => {
    execute = async () => {
      throw new RequestError(503, 'unavailable', 'The line cannot do this.');
    };
    for (let n = 0; n < 2; n += 1) {
      expect(await refusal(command())).toMatchObject({ status: 503, message: 'The line cannot do this.' });
    }
    expect(executed).toHaveLength(1);
  });

  it('executes a command again whose outcome is not known', async () => {
    execute = async () => {
      throw new TypeError('a defect with a secret');
    };
    const error = await refusal(command());
    expect([error.status, error.code, error.message]).toEqual([500, 'internal_error', 'The command failed.']);
    execute = async () => 'done';
    expect(await command()).toMatchObject({ message: 'done' });
  });

  it('sends a command to the process of the call', async () => {
    node = 'other';
    expect(await command()).toEqual({ success: true, message: 'done there', command_id: 'c-1' });
    expect([executed, asked]).toEqual([[], ['c-1']]);
    expect(await storage.callCommands.list(orgId, { limit: 1 })).toMatchObject([{ node_id: 'other', answer: null }]);
  });

  it('throws the refusal of the process of the call', async () => {
    node = 'other';
    answer = { status: 409, code: 'call_not_active', message: 'It has ended.' };
    expect(await refusal(command())).toMatchObject({ status: 409, code: 'call_not_active' });
  });

  it.each<[CallStatus, NewControlCommand['type']]>([
    ['queued', 'end-call'],
    ['connecting', 'end-call'],
    ['in-progress', 'mute-assistant'],
  ])('accepts on a call that is %s the command %s', async (status, type) => {
    expect(await command(untyped({ type }), status)).toMatchObject({ success: true });
  });

  it.each<[CallStatus, NewControlCommand['type']]>([
    ['queued', 'mute-assistant'],
    ['connecting', 'unmute-assistant'],
    ['ended', 'end-call'],
    ['failed', 'end-call'],
  ])('refuses on a call that is %s the command %s', async (status, type) => {
    expect(await refusal(command(untyped({ type }), status))).toMatchObject({ status: 409, code: 'call_not_active' });
    expect(executed).toEqual([]);
  });

  it('refuses invalid commands', async () => {
    const error = await refusal(command(untyped({ type: 'send-dtmf', digits: 'x' })));
    expect([error.status, ...faultsOf(error)]).toEqual([400, 'digits invalid_field']);
  });
});

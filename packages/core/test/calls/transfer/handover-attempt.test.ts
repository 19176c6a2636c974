import { aesVault } from '@va/core';
import { memory } from '@va/storage/memory';
import { ScriptedLeg, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TrunkDialRequest } from '../../../src/calls/line/trunk-access.ts';
import type { Bridge } from '../../../src/calls/transfer/bridge.ts';
import { Handover, type HandoverOptions } from '../../../src/calls/transfer/handover.ts';
import type { LegEnd, MediaLeg, TransferOutcome, TransferRequest } from '../../../src/ports/telephony.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import { recordId, sampleTrunk } from '../../support/sample-records.ts';

const callId = recordId('7');
const secretId = recordId('d');
const trunk = sampleTrunk({ auth_username: 'anna', auth_password_secret_id: secretId });
const vault = aesVault({ key: Buffer.alloc(32, 7) });

let clock: VirtualClock;
let storage: ReturnType<typeof memory>;
let caller: ScriptedLeg;
/** The call to the destination, which the test controls. */
let far: FarCall;
let dialed: TrunkDialRequest[];
let bridges: Bridge[];

/** A call to a destination that the test answers and ends. */
class FarCall {
  readonly id = 'far';
  readonly leg = new ScriptedLeg();
  hungUp = 0;
  #listener: (end: LegEnd) => void = () => {};
  #answer: { resolve(leg: MediaLeg): void; reject(error: Error): void } = { resolve() {}, reject() {} };
  readonly #answered = new Promise<MediaLeg>((resolve, reject) => {
    this.#answer = { resolve, reject };
  });

  whenAnswered(): Promise<MediaLeg> {
    return this.#answered;
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#listener = listener;
  }

  hangup(): void {
    this.hungUp += 1;
    this.end({ cause: 'local-hangup' });
  }

  pickUp(): void {
    this.#answer.resolve(this.leg);
  }

  end(end: LegEnd): void {
    const listener = this.#listener;
    this.#listener = () => {};
    listener(end);
    this.#answer.reject(new Error(end.cause));
  }
}

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  [caller, far, dialed, bridges] = [new ScriptedLeg(), new FarCall(), [], []];
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
  await storage.trunks.insert(orgId, trunk);
  await vault.put({ orgId, id: secretId, value: 'p4ss' }, storage);
});

function transfer(
  request: Partial<TransferRequest> = {},
  options: Partial<HandoverOptions> = {},
  dial?: () => never,
): Promise<TransferOutcome> {
  const handover = new Handover(
    {
      storage,
      vault,
      clock,
      mediaTimeout: { generalMs: 10_000 },
      dial(asked) {
        dialed.push(asked);
        return dial?.() ?? far;
      },
    },
    {
      orgId,
      callId,
      callerNumber: '+31201234567',
      trunkId: trunk.id,
      ask: () => Promise.reject(new Error('not a warm transfer')),
      hangUpCaller: () => caller.hangup(),
      onBridge: (bridge) => void bridges.push(bridge),
      ...options,
    },
  );
  const asked = { destination: '+31200000001', mode: 'blind', keysOnAnswer: null, summary: null } as const;
  return handover.attempt({ ...asked, signal: new AbortController().signal, ...request }, caller);
}

/** Waits until the destination is being called. */
async function ringing(): Promise<void> {
  for (let n = 0; dialed.length === 0 && n < 100; n += 1) await clock.advance(0);
  await clock.advance(0);
}

describe('a blind transfer', () => {
  it('calls the destination through the trunk, with the number of the service', async () => {
    const transferring = transfer();
    await ringing();
    expect(dialed).toMatchObject([
      {
        callId,
        destination: '+31200000001',
        callerNumber: '+31201234567',
        trunk: { id: trunk.id, credentials: { username: 'anna', password: 'p4ss' } },
      },
    ]);
    expect(bridges).toEqual([]);
    far.pickUp();
    expect(await transferring).toEqual({ type: 'accepted' });
    expect([bridges.length, far.hungUp]).toEqual([1, 0]);
  });

  it('presses its keys when the bridge begins', async () => {
    const transferring = transfer({ keysOnAnswer: 'ww204' });
    await ringing();
    far.pickUp();
    await transferring;
    expect(far.leg.pressed).toEqual([]);
    bridges[0]?.start();
    expect(far.leg.pressed.map(({ digits }) => digits)).toEqual(['ww204']);
    bridges[0]?.end();
  });

  it('ends its bridge, and the caller’s call, when the destination hangs up', async () => {
    const transferring = transfer();
    await ringing();
    far.pickUp();
    await transferring;
    bridges[0]?.start();
    far.end({ cause: 'remote-hangup' });
    await bridges[0]?.done;
    expect(caller.end).toEqual({ cause: 'local-hangup' });
  });

  it('is not aborted by its signal once it is accepted', async () => {
    const given = new AbortController();
    const transferring = transfer({ signal: given.signal });
    await ringing();
    far.pickUp();
    await transferring;
    given.abort();
    expect(far.hungUp).toBe(0);
  });
});

describe('a transfer that is not answered', () => {
  it.each<[string, LegEnd, TransferOutcome]>([
    [
      'is refused by a busy destination',
      { cause: 'not-answered', why: 'busy', message: '486 Busy Here' },
      { type: 'refused', reason: 'busy: 486 Busy Here' },
    ],
    [
      'is refused by a destination that hangs up',
      { cause: 'remote-hangup' },
      { type: 'refused', reason: 'the destination hung up' },
    ],
    [
      'fails with its connection',
      { cause: 'transport-error', message: 'connection reset' },
      { type: 'failed', message: 'connection reset' },
    ],
    ['fails otherwise', { cause: 'canceled' }, { type: 'failed', message: 'The transfer was aborted.' }],
  ])('%s', async (_what, end, outcome) => {
    const transferring = transfer();
    await ringing();
    far.end(end);
    expect(await transferring).toEqual(outcome);
    expect(bridges).toEqual([]);
  });

  it('stops ringing when it is aborted', async () => {
    const given = new AbortController();
    const transferring = transfer({ signal: given.signal });
    await ringing();
    given.abort();
    expect(await transferring).toEqual({ type: 'failed', message: 'The transfer was aborted.' });
    expect(far.hungUp).toBe(1);
  });

  it('is refused if the destination hangs up as it answers', async () => {
    const transferring = transfer();
    await ringing();
    far.pickUp();
    far.end({ cause: 'remote-hangup' });
    expect(await transferring).toEqual({ type: 'refused', reason: 'the destination hung up' });
    expect(bridges).toEqual([]);
  });
});

describe('a transfer that cannot be dialed', () => {
  const inactive = { type: 'failed', message: 'The transfer trunk is not active.' };

  it('fails without its trunk', async () => {
    expect(await transfer({}, { trunkId: recordId('2', 9) })).toEqual(inactive);
    await storage.trunks.update(orgId, trunk.id, { is_active: false });
    expect(await transfer()).toEqual(inactive);
    expect(dialed).toEqual([]);
  });

  it('fails without the password of its trunk', async () => {
    await vault.delete({ orgId, id: secretId }, storage);
    const outcome = await transfer();
    expect(outcome.type).toBe('failed');
    expect(dialed).toEqual([]);
  });

  it('fails if it was aborted meanwhile', async () => {
    const given = new AbortController();
    const transferring = transfer({ signal: given.signal });
    given.abort();
    expect(await transferring).toEqual({ type: 'failed', message: 'The transfer was aborted.' });
    expect(dialed).toEqual([]);
  });

  it('fails with what the telephony throws', async () => {
    const outcome = await transfer({}, {}, () => {
      throw new Error('no adapter can place calls');
    });
    expect(outcome).toEqual({ type: 'failed', message: 'no adapter can place calls' });
  });
});

describe('a warm transfer', () => {
  const warm = { mode: 'warm', summary: 'Ann asks for a table.', keysOnAnswer: 'ww204' } as const;

  it('asks the destination first, with the summary and its keys', async () => {
    const asked: unknown[] = [];
    const transferring = transfer(warm, {
      async ask(leg, { summary, keysOnAnswer }) {
        asked.push(leg, summary, keysOnAnswer, bridges.length);
        return true;
      },
    });
    await ringing();
    far.pickUp();
    expect(await transferring).toEqual({ type: 'accepted' });
    expect(asked).toEqual([far.leg, 'Ann asks for a table.', 'ww204', 0]);
    bridges[0]?.start();
    expect(far.leg.pressed).toEqual([]);
    bridges[0]?.end();
  });

  it('is refused by a destination that declines, which is hung up', async () => {
    const transferring = transfer(warm, { ask: async () => false });
    await ringing();
    far.pickUp();
    expect(await transferring).toEqual({ type: 'refused', reason: 'the destination declined the call' });
    expect([far.hungUp, bridges]).toEqual([1, []]);
  });

  it.each<[string, (given: AbortController) => void]>([
    ['the destination hangs up', () => far.end({ cause: 'remote-hangup' })],
    ['the transfer is given up', (given) => given.abort()],
  ])('stops asking when %s', async (_what, happens) => {
    const given = new AbortController();
    let asking: AbortSignal | null = null;
    const transferring = transfer(
      { ...warm, signal: given.signal },
      {
        ask: (_leg, _request, signal) =>
          new Promise((resolve) => {
            asking = signal;
            signal.addEventListener('abort', () => resolve(false));
          }),
      },
    );
    await ringing();
    far.pickUp();
    for (let n = 0; asking === null && n < 100; n += 1) await clock.advance(0);
    happens(given);
    expect((await transferring).type).toBe('refused');
    expect([far.hungUp > 0, bridges]).toEqual([true, []]);
  });

  it('does not connect a destination that has hung up as it agreed', async () => {
    const transferring = transfer(warm, {
      async ask() {
        far.end({ cause: 'remote-hangup' });
        return true;
      },
    });
    await ringing();
    far.pickUp();
    expect(await transferring).toEqual({ type: 'refused', reason: 'the destination hung up' });
    expect(bridges).toEqual([]);
  });
});

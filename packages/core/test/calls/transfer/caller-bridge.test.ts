import { memory } from '@va/storage/memory';
import { ScriptedLeg, ScriptedTelephony, sampleCall, silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CreditUser } from '../../../src/calls/limits/credit-guard.ts';
import type { MinutesUser } from '../../../src/calls/limits/minutes-guard.ts';
import type { ConversationSetup } from '../../../src/calls/session/conversation-setup.ts';
import { CallerBridge, type TransferDependencies } from '../../../src/calls/transfer/caller-bridge.ts';
import { shownCall } from '../../../src/domain/calls/call.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import type { TransferOutcome } from '../../../src/ports/telephony.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import { sampleTrunk, sampleUsageLog, startedAt } from '../../support/sample-records.ts';
import { untyped } from '../../support/untyped.ts';

const destination = '+31205550100';
const trunkId = sampleTrunk().id;
const record = sampleCall({ status: 'ended', end_reason: 'transferred', answered_at: startedAt, duration_seconds: 60 });
/** Used by warm transfers only. */
const noSetup: ConversationSetup = untyped({});

let clock: VirtualClock;
let storage: Storage;
let telephony: ScriptedTelephony;
let watched: { minutes: MinutesUser | null; credit: CreditUser | null };

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  telephony = new ScriptedTelephony();
  watched = { minutes: null, credit: null };
  await storage.organizations.insert(orgId, { ...organizationOf(orgId, clock), minutes_balance: 10 });
  await storage.trunks.insert(orgId, sampleTrunk());
  await storage.calls.insert(orgId, record);
  await storage.usageLogs.insert(orgId, sampleUsageLog(record.id));
});

function bridgeOf(options: { readonly trunkId?: string | null; readonly storage?: Storage } = {}) {
  const hangups: string[] = [];
  const errors: string[] = [];
  const deps: TransferDependencies = {
    storage: options.storage ?? storage,
    vault: undefined,
    clock,
    dial: (request) => telephony.dial(untyped(request)),
    mediaTimeout: { generalMs: 1e9 },
    pricing: { currency: 'EUR', perMinute: 0.6 },
    minutes: {
      watch: (_orgId, user) => {
        watched.minutes = user;
        return () => {
          watched.minutes = null;
        };
      },
    },
    credit: {
      watch: (_orgId, user) => {
        watched.credit = user;
        return () => {
          watched.credit = null;
        };
      },
    },
  };
  const bridge = new CallerBridge(deps, {
    orgId,
    callId: record.id,
    callerNumber: '+31201234567',
    trunkId: options.trunkId === undefined ? trunkId : options.trunkId,
    hangUpCaller: () => void hangups.push('caller'),
    logger: { ...silentLogger, error: (_fields: object, message: string) => void errors.push(message) },
  });
  return { bridge, hangups, errors };
}

/** Transfers the caller to a destination that answers. */
async function connected(options: { readonly storage?: Storage } = {}) {
  const world = bridgeOf(options);
  const caller = new ScriptedLeg();
  const request = {
    destination,
    mode: 'blind' as const,
    keysOnAnswer: null,
    summary: null,
    signal: new AbortController().signal,
  };
  const attempt: Promise<TransferOutcome> | undefined = world.bridge.handover(noSetup)?.attempt(request, caller);
  await clock.advance(0);
  telephony.dialed[0]?.pickUp();
  expect(await attempt).toEqual({ type: 'accepted' });
  world.bridge.start();
  const finished = world.bridge.finish(shownCall(record));
  await clock.advance(0);
  return { ...world, finished };
}

const usedSeconds = async (): Promise<number | undefined> =>
  (await storage.usageLogs.list(orgId, { limit: 1 }))[0]?.duration_seconds;

describe('CallerBridge', () => {
  it('cannot connect a caller without a trunk', () => {
    expect(bridgeOf({ trunkId: null }).bridge.handover(noSetup)).toBeNull();
  });

  it('is accepted once the destination has answered', async () => {
    expect(bridgeOf().bridge.isAccepted).toBe(false);
    expect((await connected()).bridge.isAccepted).toBe(true);
  });

  it('stores the time of the bridged caller after its end', async () => {
    const { bridge, finished, hangups } = await connected();
    await clock.advance(90_000);
    expect(await usedSeconds()).toBe(60);
    bridge.end();
    await finished;
    expect(await usedSeconds()).toBe(150);
    expect(hangups).toEqual(['caller']);
  });

  it('ends when the destination hangs up', async () => {
    const { finished, hangups } = await connected();
    await clock.advance(30_000);
    telephony.dialed[0]?.leave();
    await finished;
    expect([await usedSeconds(), hangups]).toEqual([90, ['caller']]);
  });

  it('counts for the minutes and the credit of the organization until its time is stored', async () => {
    const { bridge, finished } = await connected();
    await clock.advance(120_000);
    expect(watched.minutes?.unrecordedMs?.()).toBe(120_000);
    expect(watched.credit?.cost()).toBeCloseTo(1.2);
    bridge.end();
    await finished;
    expect(watched).toEqual({ minutes: null, credit: null });
  });

  it.each<[string, () => void]>([
    ['minutes', () => watched.minutes?.end()],
    ['credit', () => watched.credit?.onStatus({ scope: 'organization', level: 'reached', cost: 1, limit: 1 })],
  ])('ends when no %s are left', async (_what, end) => {
    const { finished, hangups } = await connected();
    await clock.advance(60_000);
    end();
    await finished;
    expect([await usedSeconds(), hangups]).toEqual([120, ['caller']]);
  });

  it('goes on after a warning about the credit', async () => {
    const { bridge, finished, hangups } = await connected();
    watched.credit?.onStatus({ scope: 'organization', level: 'warning', cost: 1, limit: 2 });
    expect(hangups).toEqual([]);
    bridge.end();
    await finished;
  });

  it('stops counting if its time cannot be stored', async () => {
    const failing: Storage = { ...storage, transaction: () => Promise.reject(new Error('the database is down')) };
    const { bridge, finished, errors } = await connected({ storage: failing });
    await clock.advance(60_000);
    bridge.end();
    await finished;
    expect(errors).toEqual(['failed to store the time of a bridged call']);
    expect(watched).toEqual({ minutes: null, credit: null });
  });

  it('has nothing to finish without a transfer', async () => {
    const { bridge } = bridgeOf();
    bridge.start();
    bridge.end();
    await bridge.finish(shownCall(record));
    expect(await usedSeconds()).toBe(60);
  });
});

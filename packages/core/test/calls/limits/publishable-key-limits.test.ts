import { memory } from '@va/storage/memory';
import { sampleAgent, sampleCall, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { hasTooManyCalls, reservableSeconds } from '../../../src/calls/limits/publishable-key-limits.ts';
import type { CallRecord } from '../../../src/domain/calls/call.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { organizationOf, orgId, otherOrgId } from '../../operations/support.ts';
import { recordId, samplePublishableKey, sampleUsageLog } from '../../support/sample-records.ts';

/** Allows 10 minutes a day, 5 minutes a call, and 3 calls a minute. */
const key = samplePublishableKey({ minutes_per_day: 10, max_call_seconds: 300, calls_per_minute: 3 });
const otherKeyId = recordId('9');

let clock: VirtualClock;
let storage: Storage;
let count = 0;

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  for (const id of [orgId, otherOrgId]) await storage.organizations.insert(id, organizationOf(id, clock));
  await storage.agents.insert(orgId, sampleAgent({ id: recordId('a') }));
});

/** Stores the usage of a conversation some time ago. */
async function used(seconds: number, agoMs: number, keyId: string | null = key.id, owner = orgId): Promise<void> {
  count += 1;
  const created_at = new Date(clock.wallMs() - agoMs).toISOString();
  const usage = { id: recordId('6', count), duration_seconds: seconds, publishable_key_id: keyId, created_at };
  await storage.usageLogs.insert(owner, sampleUsageLog(recordId('7', count), usage));
}

async function called(changes: Partial<CallRecord>, agoMs = 0): Promise<void> {
  const created_at = new Date(clock.wallMs() - agoMs).toISOString();
  await storage.calls.insert(
    orgId,
    sampleCall({ direction: 'web', publishable_key_id: key.id, created_at, ...changes }),
  );
}

async function allowed(agoMs: number, keyId: string | null = key.id): Promise<void> {
  count += 1;
  await storage.webCallGrants.insert(orgId, {
    id: recordId('8', count),
    token_hash: `hash-${count}`,
    agent_id: recordId('a'),
    variables: null,
    metadata: null,
    publishable_key_id: keyId,
    origin: null,
    expires_at: new Date(clock.wallMs() + 60_000).toISOString(),
    created_at: new Date(clock.wallMs() - agoMs).toISOString(),
  });
}

const hourMs = 3_600_000;

describe('reservableSeconds', () => {
  const reservable = (changes: Partial<typeof key> = {}): Promise<number> =>
    reservableSeconds(storage, orgId, { ...key, ...changes }, clock);

  it('is the longest call of a key that was not used', async () => {
    expect(await reservable()).toBe(300);
  });

  it('is what is left of the minutes of the last 24 hours', async () => {
    await used(400, hourMs);
    await used(80, 24 * hourMs);
    expect(await reservable()).toBe(120);
  });

  it('does not count conversations of the day before, of other keys, and of other organizations', async () => {
    await used(500, 24 * hourMs + 1);
    await used(500, hourMs, otherKeyId);
    await used(500, hourMs, null);
    await used(500, hourMs, key.id, otherOrgId);
    expect(await reservable()).toBe(300);
  });

  it('counts calls in progress with the time that is reserved for them', async () => {
    await called({ status: 'in-progress', reserved_seconds: 300 });
    await called({ status: 'queued', reserved_seconds: 200 });
    expect(await reservable()).toBe(100);
  });

  it('does not count reservations of calls that have ended, or that are being refused', async () => {
    await called({ status: 'ended', end_reason: 'user_hangup', reserved_seconds: 300 });
    await called({ status: 'connecting', end_reason: 'insufficient_credits', reserved_seconds: 300 });
    await called({ status: 'in-progress', publishable_key_id: otherKeyId, reserved_seconds: 300 });
    expect(await reservable()).toBe(300);
  });

  it.each([
    [570, 30],
    [571, 0],
    [600, 0],
    [900, 0],
  ])('after %d of 600 s is %d, because calls of less than 30 s are refused', async (seconds, left) => {
    await used(seconds, hourMs);
    expect(await reservable()).toBe(left);
  });
});

describe('hasTooManyCalls', () => {
  const hasTooMany = (): Promise<boolean> => hasTooManyCalls(storage, orgId, key, clock);

  it('counts calls that began, and tokens for calls that may begin, in the last minute', async () => {
    await allowed(1_000);
    await called({ status: 'in-progress' }, 60_000);
    expect(await hasTooMany()).toBe(false);
    await called({ status: 'ended', end_reason: 'user_hangup' }, 10_000);
    expect(await hasTooMany()).toBe(true);
  });

  it('counts unused tokens alone', async () => {
    for (let n = 0; n < 3; n += 1) await allowed(n * 1_000);
    expect(await hasTooMany()).toBe(true);
  });

  it('does not count calls and tokens before that, or of other keys', async () => {
    for (let n = 0; n < 5; n += 1) {
      await allowed(60_001);
      await allowed(1_000, otherKeyId);
      await called({ status: 'in-progress' }, 60_001);
      await called({ status: 'in-progress', publishable_key_id: null }, 1_000);
    }
    expect(await hasTooMany()).toBe(false);
  });
});

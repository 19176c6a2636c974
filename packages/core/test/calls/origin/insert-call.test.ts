import { memory } from '@va/storage/memory';
import { sampleCall, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PassedLimit } from '../../../src/calls/limits/limits.ts';
import { insertIncoming, limitRefusal } from '../../../src/calls/origin/insert-incoming.ts';
import { insertKeyedCall } from '../../../src/calls/origin/insert-keyed-call.ts';
import type { OrganizationRecord } from '../../../src/domain/accounts/organization.ts';
import { type CallRecord, shownCall } from '../../../src/domain/calls/call.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import { recordId, samplePublishableKey, sampleUsageLog, startedAt } from '../../support/sample-records.ts';

const full: PassedLimit = { reason: 'concurrency_limit_exceeded', message: 'full' };
const nodeId = recordId('e');

let clock: VirtualClock;
let storage: Storage;

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
});

async function limited(changes: Partial<OrganizationRecord>): Promise<OrganizationRecord> {
  const organization = await storage.organizations.update(orgId, orgId, changes);
  if (organization === null) throw new Error('expected the organization');
  return organization;
}

const stored = (id: string): Promise<CallRecord | null> => storage.calls.get(orgId, id);

describe('insertIncoming', () => {
  async function insert(changes: Partial<OrganizationRecord> = {}, known: PassedLimit | null = null) {
    const call = shownCall(sampleCall({ status: 'connecting' }));
    const limit = await insertIncoming(storage, await limited(changes), call, { nodeId, known });
    return { limit, record: await stored(call.id) };
  }

  it('stores a call of an organization without limits, with its node', async () => {
    const { limit, record } = await insert();
    expect(limit).toBeNull();
    expect(record).toMatchObject({ node_id: nodeId, end_reason: null, webhook_sequence: 0, reserved_seconds: null });
  });

  it.each<[Partial<OrganizationRecord>, string]>([
    [{ minutes_balance: 0 }, 'insufficient_credits'],
    [{ credit_balance: -1 }, 'insufficient_credits'],
    [{ concurrency_limit: 0 }, 'concurrency_limit_exceeded'],
  ])('stores a call beyond the limit %j too, with the reason for which it is refused', async (changes, reason) => {
    const { limit, record } = await insert(changes);
    expect([limit?.reason, record?.end_reason, record?.status]).toEqual([reason, reason, 'connecting']);
  });

  it('does not count a refused call for the next one', async () => {
    await insert({ concurrency_limit: 1, minutes_balance: 0 });
    expect((await insert({ minutes_balance: 10 })).limit).toBeNull();
    expect((await insert()).limit?.reason).toBe('concurrency_limit_exceeded');
  });

  it('stores the limit that the caller passes', async () => {
    const { limit, record } = await insert({}, full);
    expect([limit, record?.end_reason]).toEqual([full, full.reason]);
  });
});

describe('limitRefusal', () => {
  it.each([
    ['insufficient_credits', 'unavailable'],
    ['concurrency_limit_exceeded', 'busy'],
  ] as const)('of %s is shown to the caller as %s', (reason, rejection) => {
    expect(limitRefusal({ reason, message: 'No.' })).toMatchObject({ ending: { reason, error: 'No.' }, rejection });
  });
});

describe('insertKeyedCall', () => {
  const key = samplePublishableKey({ minutes_per_day: 10, max_call_seconds: 300 });

  async function insert(maxSeconds = 600, known: PassedLimit | null = null) {
    const call = shownCall(sampleCall({ direction: 'web', publishable_key_id: key.id, created_at: startedAt }));
    const start = await insertKeyedCall(storage, orgId, call, { key, maxSeconds, nodeId, known, clock });
    return { start, record: await stored(call.id) };
  }

  it('reserves the longest duration of the key', async () => {
    const { start, record } = await insert();
    expect([start, record?.reserved_seconds, record?.node_id]).toEqual([{ maxSeconds: 300 }, 300, nodeId]);
  });

  it('reserves the longest duration of the agent if that is less', async () => {
    expect((await insert(120)).record?.reserved_seconds).toBe(120);
  });

  it('never reserves more than the minutes of a day, whatever calls begin together', async () => {
    const calls = await Promise.all([insert(), insert(), insert()]);
    const reserved = calls.map(({ record }) => record?.reserved_seconds ?? 0);
    expect(reserved.reduce((sum, each) => sum + each, 0)).toBe(600);
    expect(calls.filter(({ start }) => 'limit' in start)).toHaveLength(1);
  });

  it('stores a call beyond the minutes with the reason, and no reservation', async () => {
    const usage = { duration_seconds: 590, publishable_key_id: key.id };
    await storage.usageLogs.insert(orgId, sampleUsageLog(recordId('7'), usage));
    const { start, record } = await insert();
    expect(start).toMatchObject({
      limit: { reason: 'insufficient_credits', message: expect.stringContaining('10 minutes') },
    });
    expect(record).toMatchObject({ end_reason: 'insufficient_credits', reserved_seconds: null });
  });

  it('names a limit of the organization before one of the key', async () => {
    await limited({ concurrency_limit: 0 });
    expect((await insert()).start).toMatchObject({ limit: { reason: 'concurrency_limit_exceeded' } });
    expect((await insert(600, full)).start).toEqual({ limit: full });
  });
});

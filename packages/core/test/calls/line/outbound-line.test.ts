import { aesVault } from '@va/core';
import { memory } from '@va/storage/memory';
import { sampleAgent, sampleCall, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { outboundLine, trunkCallsLeft } from '../../../src/calls/line/outbound-line.ts';
import { trunkAccess } from '../../../src/calls/line/trunk-access.ts';
import type { PhoneNumberRecord } from '../../../src/domain/numbers/phone-number.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { organizationOf, orgId, otherOrgId, unknownId } from '../../operations/support.ts';
import { recordId, sampleNumber, sampleTrunk } from '../../support/sample-records.ts';

const vault = aesVault({ key: Buffer.alloc(32, 7) });
const agentId = recordId('a');
const secretId = recordId('d', 1);

let storage: Storage;

beforeEach(async () => {
  storage = memory();
  for (const id of [orgId, otherOrgId]) await storage.organizations.insert(id, organizationOf(id, new VirtualClock()));
  await storage.agents.insert(orgId, sampleAgent({ id: agentId }));
});

async function addNumber(n: number, changes: Partial<PhoneNumberRecord> = {}): Promise<PhoneNumberRecord> {
  const number = sampleNumber({ id: recordId('1', n), number: `+3120123450${n}`, ...changes });
  await storage.numbers.insert(orgId, number);
  return number;
}

const lineOf = (numberId: string | null = null, agent: string | null = null) =>
  outboundLine(storage, orgId, { numberId, agentId: agent });

describe('outboundLine', () => {
  it('prefers the number of the agent, and otherwise takes any with a trunk', async () => {
    const first = await addNumber(1);
    const own = await addNumber(2, { agent_id: agentId });
    await storage.trunks.insert(orgId, sampleTrunk({ numbers: [first.number, own.number] }));
    expect((await lineOf(null, agentId)).number.id).toBe(own.id);
    await storage.numbers.update(orgId, own.id, { is_active: false });
    expect((await lineOf(null, agentId)).number.id).toBe(first.id);
  });

  it('takes the trunk that lists the number before the one of its transfers', async () => {
    const transfer = sampleTrunk({ id: recordId('2', 1) });
    const listing = sampleTrunk({ id: recordId('2', 2) });
    await storage.trunks.insert(orgId, transfer);
    const number = await addNumber(1, { transfer_trunk_id: transfer.id });
    expect((await lineOf(number.id)).trunk.id).toBe(transfer.id);
    await storage.trunks.insert(orgId, { ...listing, numbers: [number.number] });
    expect((await lineOf(number.id)).trunk.id).toBe(listing.id);
  });

  it('skips numbers whose trunk is not active', async () => {
    const dead = await addNumber(1, { agent_id: agentId });
    const alive = await addNumber(2);
    await storage.trunks.insert(orgId, sampleTrunk({ id: recordId('2', 1), numbers: [dead.number], is_active: false }));
    await storage.trunks.insert(orgId, sampleTrunk({ id: recordId('2', 2), numbers: [alive.number] }));
    expect((await lineOf(null, agentId)).number.id).toBe(alive.id);
  });

  it.each<[string, () => Promise<string | null>, number, string]>([
    ['an unknown number', async () => unknownId, 400, 'invalid_reference'],
    [
      'a number that is not active',
      async () => (await addNumber(1, { is_active: false })).id,
      422,
      'no_outbound_number',
    ],
    ['a number without a trunk', async () => (await addNumber(1)).id, 422, 'no_trunk'],
    ['an organization without numbers', async () => null, 422, 'no_outbound_number'],
  ])('refuses %s', async (_what, idOf, status, code) => {
    await expect(lineOf(await idOf())).rejects.toMatchObject({ status, code });
  });

  it('does not take numbers and trunks of other organizations', async () => {
    const number = sampleNumber();
    await storage.numbers.insert(otherOrgId, number);
    await storage.trunks.insert(otherOrgId, sampleTrunk({ numbers: [number.number] }));
    await expect(lineOf()).rejects.toMatchObject({ code: 'no_outbound_number' });
    await expect(lineOf(number.id)).rejects.toMatchObject({ code: 'invalid_reference' });
  });
});

describe('trunkCallsLeft', () => {
  const trunk = sampleTrunk({ numbers: ['+31201234501'], max_concurrent_calls: 3 });
  const left = (limited = trunk): Promise<number> => storage.transaction((tx) => trunkCallsLeft(tx, orgId, limited));

  beforeEach(async () => {
    await storage.trunks.insert(orgId, trunk);
  });

  it('counts live calls of all numbers of the trunk, in both directions', async () => {
    const listed = await addNumber(1);
    const transferring = await addNumber(2, { transfer_trunk_id: trunk.id });
    const other = await addNumber(3);
    await storage.calls.insert(orgId, sampleCall({ number_id: listed.id, status: 'queued', direction: 'outbound' }));
    await storage.calls.insert(orgId, sampleCall({ number_id: transferring.id, status: 'in-progress' }));
    await storage.calls.insert(orgId, sampleCall({ number_id: other.id, status: 'in-progress' }));
    await storage.calls.insert(orgId, sampleCall({ number_id: listed.id, status: 'ended', end_reason: 'busy' }));
    await storage.calls.insert(orgId, sampleCall({ number_id: listed.id, status: 'connecting', end_reason: 'busy' }));
    expect(await left()).toBe(1);
  });

  it('is infinite without a limit, and never negative', async () => {
    expect(await left({ ...trunk, max_concurrent_calls: null })).toBe(Number.POSITIVE_INFINITY);
    const { id } = await addNumber(1);
    for (let n = 0; n < 4; n += 1)
      await storage.calls.insert(orgId, sampleCall({ number_id: id, status: 'in-progress' }));
    expect(await left()).toBe(0);
  });
});

describe('trunkAccess', () => {
  const access = (changes: Parameters<typeof sampleTrunk>[0], given: typeof vault | undefined = vault) =>
    trunkAccess({ storage, vault: given }, orgId, sampleTrunk(changes));

  it('has no credentials for a trunk without a user name or a password', async () => {
    expect(await access({})).toMatchObject({ credentials: null });
    expect(await access({ auth_username: 'anna' })).toMatchObject({ credentials: null });
    expect(await access({ auth_password_secret_id: secretId })).toMatchObject({ credentials: null });
  });

  it('reads the password from the vault', async () => {
    await vault.put({ orgId, id: secretId, value: 'p4ss' }, storage);
    const trunk = { auth_username: 'anna', auth_password_secret_id: secretId, transport: 'tls' as const };
    expect(await access(trunk)).toEqual({
      id: recordId('2'),
      address: 'sip.example.com',
      transport: 'tls',
      mediaSource: null,
      credentials: { username: 'anna', password: 'p4ss' },
    });
    await expect(trunkAccess({ storage, vault: undefined }, orgId, sampleTrunk(trunk))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('refuses a carrier’s trunk without credentials, and credentials of another form', async () => {
    const account = { auth_id: 'MA1' };
    await expect(access({ type: 'plivo', account })).rejects.toMatchObject({ code: 'secret_unreadable' });
    await vault.put({ orgId, id: secretId, value: JSON.stringify({ api_key: 'k' }) }, storage);
    const trunk = { type: 'plivo' as const, account, credentials_secret_id: secretId };
    await expect(access(trunk)).rejects.toThrow('auth_token');
  });
});

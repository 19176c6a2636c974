import { aesVault } from '@va/core';
import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { FoundNumber } from '../../../src/calls/origin/found-number.ts';
import { routeInbound } from '../../../src/calls/origin/routing.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import type { Vault } from '../../../src/ports/vault.ts';
import { organizationOf, orgId, otherOrgId } from '../../operations/support.ts';
import { recordId, sampleNumber, sampleTrunk } from '../../support/sample-records.ts';

const dutch = '+31201111111';
const german = '+49201111111';
const vault = aesVault({ key: Buffer.alloc(32, 7) });
const secretId = recordId('d', 1);

let storage: Storage;

beforeEach(async () => {
  storage = memory();
  for (const id of [orgId, otherOrgId]) await storage.organizations.insert(id, organizationOf(id, new VirtualClock()));
  await storage.numbers.insert(orgId, sampleNumber({ number: dutch }));
});

const find = (dialed: string, given: Vault | undefined = vault) =>
  FoundNumber.findAll({ storage, vault: given }, dialed);

describe('FoundNumber.findAll', () => {
  it.each([
    ['+31201111111', true],
    ['0031 20 111 1111', true],
    ['31201111111', true],
    ['020-1111111', false],
  ])('finds %s, exactly: %s', async (dialed, isExact) => {
    expect(await find(dialed)).toMatchObject([{ number: dutch, isExact }]);
  });

  it.each(['anonymous', '+31201111112', '', '0201111'])('finds nothing for "%s"', async (dialed) => {
    expect(await find(dialed)).toEqual([]);
  });

  it('finds a national number in every country and organization, the exact number first', async () => {
    await storage.numbers.insert(otherOrgId, sampleNumber({ id: recordId('1', 2), number: german }));
    const found = await find('0201111111');
    expect(found.map(({ number, isExact }) => [number, isExact]).sort()).toEqual([
      [dutch, false],
      [german, false],
    ]);
    expect((await find('+49201111111')).map(({ found: { orgId: owner } }) => owner)).toEqual([otherOrgId]);
  });

  it('has the active trunks of the organization of the number', async () => {
    await storage.trunks.insert(orgId, sampleTrunk({ address: 'one.test', media_source: 'strict' }));
    await storage.trunks.insert(orgId, sampleTrunk({ id: recordId('2', 2), is_active: false }));
    await storage.trunks.insert(otherOrgId, sampleTrunk({ id: recordId('2', 3) }));
    const [found] = await find(dutch);
    expect(found?.trunks).toMatchObject([{ address: 'one.test', username: null, mediaSource: 'strict' }]);
    expect(found?.carrierTrunks).toEqual([]);
  });

  it('reads the password of a trunk only when it is needed', async () => {
    const secrets = { auth_username: 'anna', auth_password_secret_id: secretId };
    await storage.trunks.insert(orgId, sampleTrunk(secrets));
    const [found] = await find(dutch);
    await expect(found?.trunks[0]?.password()).rejects.toMatchObject({ code: 'secret_unreadable' });
    await vault.put({ orgId, id: secretId, value: 'p4ss' }, storage);
    expect(await found?.trunks[0]?.password()).toBe('p4ss');
  });

  it('has no password for a trunk that is identified by its address', async () => {
    await storage.trunks.insert(orgId, sampleTrunk());
    const [found] = await find(dutch);
    expect(await found?.trunks[0]?.password()).toBeNull();
  });

  it('lists the trunks of carriers separately, and reads their credentials on request', async () => {
    const account = { auth_id: 'MA1' };
    const trunk = sampleTrunk({ type: 'plivo', account, credentials_secret_id: secretId });
    await storage.trunks.insert(orgId, trunk);
    await vault.put({ orgId, id: secretId, value: JSON.stringify({ auth_token: 't0ken' }) }, storage);
    const [found] = await find(dutch);
    expect(found?.trunks).toEqual([]);
    expect(found?.carrierTrunks).toMatchObject([{ id: trunk.id, type: 'plivo', account }]);
    expect(await found?.carrierTrunks[0]?.access()).toEqual({
      id: trunk.id,
      type: 'plivo',
      account,
      credentials: { auth_token: 't0ken' },
    });
  });
});

describe('routeInbound', () => {
  it('returns the number with its organization, and null for an unknown one', async () => {
    expect(await routeInbound(storage, dutch)).toMatchObject({ organization: { id: orgId }, agent: null });
    expect(await routeInbound(storage, german)).toBeNull();
  });

  it('uses the number that was looked up before', async () => {
    const [found] = await find('0201111111');
    expect(await routeInbound(storage, 'unused', found?.found)).toMatchObject({ number: { number: dutch } });
  });

  it('rejects a number whose organization is gone', async () => {
    const owned = { orgId: recordId('f'), record: sampleNumber() };
    await expect(routeInbound(storage, dutch, owned)).rejects.toMatchObject({ code: 'internal_error' });
  });
});

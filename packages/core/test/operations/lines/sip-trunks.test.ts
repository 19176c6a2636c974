import { describe, expect, it } from 'vitest';
import { aesVault } from '../../../src/node/aes-vault.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations } from '../support.ts';

const vault = aesVault({ key: Buffer.alloc(32, 1) });
const written = { name: 'Main', provider: 'acme', address: 'sip.example.com:5061' };

describe('SIP trunks', () => {
  it('store their password in the vault and never return it', async () => {
    const { operations, storage } = testOperations({ vault });
    const made = await operations.trunks.create(orgId, { ...written, auth_username: 'u', auth_password: 'hunter2' });
    expect(made).toMatchObject({ ...written, auth_username: 'u', numbers: [], transport: 'udp', is_active: true });
    const shown = [made, await operations.trunks.get(orgId, made.id), await operations.trunks.list(orgId)];
    expect(JSON.stringify(shown)).not.toMatch(/password|secret|hunter2/);
    const record = await storage.trunks.get(orgId, made.id);
    const id = record?.auth_password_secret_id ?? '';
    expect(await vault.get({ orgId, id }, storage)).toBe('hunter2');
    expect(JSON.stringify([record, await storage.secrets.list(orgId, { limit: 9 })])).not.toContain('hunter2');
  });

  it('replace, keep or delete the password as requested', async () => {
    const { operations, storage } = testOperations({ vault });
    const { id } = await operations.trunks.create(orgId, { ...written, auth_password: 'one' });
    const password = async (): Promise<string | null> => {
      const secretId = (await storage.trunks.get(orgId, id))?.auth_password_secret_id;
      return secretId == null ? null : await vault.get({ orgId, id: secretId }, storage);
    };
    await operations.trunks.update(orgId, id, { name: 'Renamed' });
    expect(await password()).toBe('one');
    await operations.trunks.update(orgId, id, { auth_password: 'two' });
    expect([await password(), await storage.secrets.count(orgId)]).toEqual(['two', 1]);
    await operations.trunks.update(orgId, id, { auth_password: null });
    expect([await password(), await storage.secrets.count(orgId)]).toEqual([null, 0]);
    await operations.trunks.update(orgId, id, { auth_password: 'three' });
    await operations.trunks.delete(orgId, id);
    expect(await storage.secrets.count(orgId)).toBe(0);
  });

  it('require a vault only for a password', async () => {
    const { operations, storage } = testOperations();
    const error = await refusal(operations.trunks.create(orgId, { ...written, auth_password: 'x' }));
    expect([error.status, error.code]).toEqual([503, 'unavailable']);
    expect(await storage.trunks.count(orgId)).toBe(0);
    await operations.trunks.create(orgId, written);
  });

  it('are unassigned from their phone numbers when deleted', async () => {
    const { operations, clock } = testOperations();
    const { id } = await operations.trunks.create(orgId, written);
    const number = await operations.numbers.register(orgId, {
      phone_number: '+31205550100',
      transfer_trunk_id: id,
    });
    expect(number).toMatchObject({ transfer_trunk_id: id, transfer_trunk_name: 'Main' });
    await clock.advance(5);
    await operations.trunks.delete(orgId, id);
    expect(await operations.numbers.get(orgId, number.id)).toMatchObject({
      transfer_trunk_id: null,
      transfer_trunk_name: null,
      updated_at: '2026-01-01T09:00:00.005Z',
    });
    expect((await refusal(operations.trunks.delete(orgId, id))).code).toBe('sip_trunk_not_found');
  });

  it('are accessible only to their organization', async () => {
    const { operations } = testOperations();
    const { id } = await operations.trunks.create(otherOrgId, written);
    const refused = [
      operations.trunks.get(orgId, id),
      operations.trunks.update(orgId, id, { name: 'x' }),
      operations.trunks.delete(orgId, id),
    ];
    for (const each of refused) expect((await refusal(each)).code).toBe('sip_trunk_not_found');
    const pointing = operations.numbers.register(orgId, { phone_number: '+31205550100', transfer_trunk_id: id });
    expect(faultsOf(await refusal(pointing))).toEqual(['transfer_trunk_id invalid_reference']);
  });

  it.each(['sip.example.com', '203.0.113.7', '[2001:db8::1]:5060', 'a:1'])('accept the address %j', async (address) => {
    const { operations } = testOperations();
    expect((await operations.trunks.create(orgId, { ...written, address })).address).toBe(address);
  });

  it.each(['sip:example.com', 'a b', 'host:', 'host:0', 'host:65536', 'host:x', '', 'http://a', '-a', 'a/b'])(
    'refuse the address %j',
    async (address) => {
      const { operations } = testOperations();
      const error = await refusal(operations.trunks.create(orgId, { ...written, address }));
      expect(faultsOf(error)).toEqual(['address invalid_field']);
    },
  );
});

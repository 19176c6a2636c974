import { describe, expect, it } from 'vitest';
import type { NewSipTrunk } from '../../../src/domain/numbers/sip-trunk.ts';
import { aesVault } from '../../../src/node/aes-vault.ts';
import { faultsOf, orgId, refusal, testOperations } from '../support.ts';

const vault = aesVault({ key: Buffer.alloc(32, 1) });
const account = { account_sid: `AC${'0'.repeat(32)}` };
const twilio: NewSipTrunk = { type: 'twilio', name: 'Main', account, credentials: { auth_token: 'hunter2' } };

describe('trunks of carriers', () => {
  it('keep their credentials in the vault and never return them', async () => {
    const { operations, storage } = testOperations({ vault });
    const made = await operations.trunks.create(orgId, twilio);
    expect(made).toMatchObject({ type: 'twilio', provider: 'twilio', address: 'api.twilio.com', account, numbers: [] });
    const shown = [made, await operations.trunks.get(orgId, made.id), await operations.trunks.list(orgId)];
    expect(JSON.stringify(shown)).not.toMatch(/credentials|secret|hunter2/);
    const record = await storage.trunks.get(orgId, made.id);
    const sealed = await vault.get({ orgId, id: record?.credentials_secret_id ?? '' }, storage);
    expect(JSON.parse(sealed ?? '')).toEqual({ auth_token: 'hunter2' });
    expect(JSON.stringify([record, await storage.secrets.list(orgId, { limit: 9 })])).not.toContain('hunter2');
  });

  it('replace their account and credentials whole, and delete the old ones from the vault', async () => {
    const { operations, storage } = testOperations({ vault });
    const { id } = await operations.trunks.create(orgId, twilio);
    await operations.trunks.update(orgId, id, {
      account: { ...account, region: 'ie1', edge: 'dublin' },
      credentials: { auth_token: 'other', api_key: { sid: 'SK1', secret: 's' } },
    });
    const record = await storage.trunks.get(orgId, id);
    expect(record?.account).toEqual({ ...account, region: 'ie1', edge: 'dublin' });
    const sealed = await vault.get({ orgId, id: record?.credentials_secret_id ?? '' }, storage);
    expect(JSON.parse(sealed ?? '')).toEqual({ auth_token: 'other', api_key: { sid: 'SK1', secret: 's' } });
    expect(await storage.secrets.count(orgId)).toBe(1);
    await operations.trunks.delete(orgId, id);
    expect(await storage.secrets.count(orgId)).toBe(0);
  });

  it('require a vault', async () => {
    const { operations, storage } = testOperations();
    const error = await refusal(operations.trunks.create(orgId, twilio));
    expect([error.status, error.code]).toEqual([503, 'unavailable']);
    expect(await storage.trunks.count(orgId)).toBe(0);
  });

  it.each<[Record<string, unknown>, string, string]>([
    [{ type: 'nortel', name: 'x' }, 'type', 'invalid_field'],
    [{ type: 'twilio', name: 'x', account }, 'credentials', 'missing_field'],
    [{ ...twilio, account: { account_sid: 'AC1' } }, 'account.account_sid', 'invalid_field'],
    [{ ...twilio, account: { ...account, region: 'evil.example/' } }, 'account.region', 'invalid_field'],
    [{ ...twilio, credentials: { auth_token: 'x', extra: 'y' } }, 'credentials.extra', 'unknown_field'],
    [{ ...twilio, transport: 'udp' }, 'transport', 'unknown_field'],
    [{ name: 'x', provider: 'acme', address: 'sip.example.com', account }, 'account', 'unknown_field'],
    [{ type: 'vonage', name: 'x', account: { application_id: 'x' } }, 'account.application_id', 'invalid_field'],
  ])('refuse invalid input %#', async (input, path, code) => {
    const { operations } = testOperations({ vault });
    const error = await refusal(operations.trunks.create(orgId, input as NewSipTrunk));
    expect(error.status).toBe(400);
    expect(faultsOf(error)).toContain(`${path} ${code}`);
  });

  it('take changes of their own type only', async () => {
    const { operations } = testOperations({ vault });
    const { id } = await operations.trunks.create(orgId, twilio);
    const changes = { account: { auth_id: 'MA1' } };
    expect((await refusal(operations.trunks.update(orgId, id, changes))).status).toBe(400);
    const typeChange = { type: 'sip' } as Record<string, unknown>;
    expect((await refusal(operations.trunks.update(orgId, id, typeChange))).code).toBe('unknown_field');
  });

  it('are refused where no adapter serves the carrier', async () => {
    const { operations } = testOperations({ vault, carriers: ['telnyx'] });
    const error = await refusal(operations.trunks.create(orgId, twilio));
    expect(error.message).toContain('expected one of sip, telnyx');
  });
});

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/ids.ts';
import { createApiKeyOperations } from '../../../src/operations/accounts/api-keys.ts';
import { requireScope } from '../../../src/operations/accounts/principal.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations } from '../support.ts';

describe('API keys', () => {
  it('returns a new secret once, stores only its hash and authenticates its organization', async () => {
    const { operations, storage } = testOperations();
    const { apiKey, secret } = await operations.apiKeys.issue(orgId, { name: 'ci' });
    expect(secret).toMatch(/^va_live_[\w-]{43}$/);
    const hash = createHash('sha256').update(secret).digest('hex');
    const { org_id: _, ...record } = { ...apiKey, hash };
    expect(await storage.across.apiKeys.find({ where: { hash } }, 2)).toEqual([{ orgId, record }]);
    expect(JSON.stringify([apiKey, await operations.apiKeys.list(orgId)])).not.toContain(hash);
    expect(await operations.apiKeys.list(orgId)).toEqual([apiKey]);
    expect(await operations.apiKeys.list(otherOrgId)).toEqual([]);
    const principal = await operations.apiKeys.authenticate(`bearer ${secret}`);
    expect(principal).toEqual({ orgId, scopes: ['*'], keyId: apiKey.id });
  });

  it.each([null, '', 'Bearer', 'Bearer ', 'Basic x', 'Bearer a b', 'Bearer \u00e9', `Bearer ${'x'.repeat(600)}`])(
    'rejects the Authorization header %j',
    async (authorization) => {
      const { operations } = testOperations();
      const error = await refusal(operations.apiKeys.authenticate(authorization));
      expect([error.status, error.code]).toEqual([401, 'unauthorized']);
    },
  );

  // Security: a tenant could create any number of keys, and with them any number of per-key limits.
  it('limits an organization to 100 keys', async () => {
    const { operations } = testOperations();
    const issue = () => operations.apiKeys.issue(orgId, { name: 'ci' });
    const { apiKey } = await issue();
    for (let n = 1; n < 100; n += 1) await issue();
    expect(await refusal(issue())).toMatchObject({ status: 409, code: 'too_many_api_keys' });
    await operations.apiKeys.revoke(orgId, apiKey.id);
    expect((await issue()).apiKey.name).toBe('ci');
  });

  // Security: a key could revoke keys with more scopes than its own.
  it('refuses to revoke a key whose scopes the caller does not have', async () => {
    const { operations } = testOperations();
    const { apiKey } = await operations.apiKeys.issue(orgId, { name: 'admin' });
    const revoked: string[] = [];
    operations.apiKeys.onRevoked((id) => revoked.push(id));
    const error = await refusal(operations.apiKeys.revoke(orgId, apiKey.id, ['api-keys:write']));
    expect([error.status, error.code, revoked]).toEqual([403, 'forbidden', []]);
    await operations.apiKeys.revoke(orgId, apiKey.id, ['*']);
    expect(revoked).toEqual([apiKey.id]);
  });

  it('rejects a secret that differs in one character', async () => {
    const { operations } = testOperations();
    const { secret } = await operations.apiKeys.issue(orgId, { name: 'ci' });
    const error = await refusal(operations.apiKeys.authenticate(`Bearer ${secret.slice(0, -1)}`));
    expect(error.code).toBe('unauthorized');
  });

  it.each(['0000-01-01T00:00:00Z', '1970-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    'rejects the expiry date %s, which databases store differently',
    async (expires_at) => {
      const { operations } = testOperations();
      const error = await refusal(operations.apiKeys.issue(orgId, { name: 'ci', expires_at }));
      expect(faultsOf(error)).toEqual(['expires_at invalid_field']);
    },
  );

  it('rejects a key after its expiry date', async () => {
    const { operations, clock } = testOperations();
    const past = { name: 'ci', expires_at: '2026-01-01T10:00:00+01:00' };
    expect(faultsOf(await refusal(operations.apiKeys.issue(orgId, past)))).toEqual(['expires_at invalid_field']);
    const later = await operations.apiKeys.issue(orgId, { name: 'ci', expires_at: '2026-01-01T09:00:01Z' });
    await operations.apiKeys.authenticate(`Bearer ${later.secret}`);
    await clock.advance(1_000);
    const error = await refusal(operations.apiKeys.authenticate(`Bearer ${later.secret}`));
    expect([error.status, error.code]).toEqual([401, 'api_key_expired']);
  });

  it.each([[['bogus:read']], [['agents:admin']], [[]]])('refuses to issue a key with the scopes %j', async (scopes) => {
    const { operations } = testOperations();
    const error = await refusal(operations.apiKeys.issue(orgId, { name: 'ci', scopes }));
    expect([error.status, error.code]).toEqual([400, 'invalid_field']);
  });

  it('rejects a revoked key', async () => {
    const { operations } = testOperations();
    const { apiKey, secret } = await operations.apiKeys.issue(orgId, { name: 'ci' });
    await operations.apiKeys.authenticate(`Bearer ${secret}`);
    await operations.apiKeys.revoke(orgId, apiKey.id);
    const error = await refusal(operations.apiKeys.authenticate(`Bearer ${secret}`));
    expect([error.status, error.code]).toEqual([401, 'api_key_revoked']);
    expect(await operations.apiKeys.list(orgId)).toEqual([]);
    const again = await refusal(operations.apiKeys.revoke(orgId, apiKey.id));
    expect([again.status, again.code]).toEqual([404, 'api_key_not_found']);
  });

  it('rejects a key within seconds of its revocation on another node', async () => {
    const here = testOperations();
    const there = createApiKeyOperations({ ...here, random: systemRandom });
    const { apiKey, secret } = await here.operations.apiKeys.issue(orgId, { name: 'ci' });
    await here.operations.apiKeys.authenticate(`Bearer ${secret}`);
    await there.revoke(orgId, apiKey.id);
    await here.clock.advance(5_000);
    const error = await refusal(here.operations.apiKeys.authenticate(`Bearer ${secret}`));
    expect(error.code).toBe('api_key_revoked');
  });

  it('refuses to issue a key with scopes that the caller does not have', async () => {
    const { operations } = testOperations();
    const issue = (scopes: string[]): Promise<unknown> =>
      operations.apiKeys.issue(orgId, { name: 'ci', scopes }, ['calls:read', 'api-keys:write']);
    await issue(['calls:read']);
    for (const scopes of [['*'], ['calls:read', 'agents:write']]) {
      const error = await refusal(issue(scopes));
      expect([error.status, error.code]).toEqual([403, 'forbidden']);
    }
  });

  it('grants only the scopes of the key', async () => {
    const { operations } = testOperations();
    const { secret } = await operations.apiKeys.issue(orgId, { name: 'ci', scopes: ['calls:read'] });
    const principal = await operations.apiKeys.authenticate(`Bearer ${secret}`);
    expect(() => requireScope(principal, 'calls:read')).not.toThrow();
    expect(() => requireScope(principal, 'calls:write')).toThrow(expect.objectContaining({ status: 403 }));
    expect(() => requireScope({ ...principal, scopes: ['*'] }, 'calls:write')).not.toThrow();
  });

  it('requires a name and a valid expiry date', async () => {
    const { operations } = testOperations();
    const error = await refusal(operations.apiKeys.issue(orgId, untyped({ expires_at: 'never' })));
    expect(faultsOf(error).sort()).toEqual(['expires_at invalid_field', 'name missing_field']);
  });
});

describe('the default organization', () => {
  it('is created once when several nodes start at the same time', async () => {
    const { operations, storage } = testOperations();
    const made = await Promise.all([1, 2, 3].map(() => operations.organizations.ensureDefault()));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await storage.across.organizations.find({}, 9)).toEqual([{ orgId: made[0]?.id, record: made[0] }]);
  });

  it('is the oldest organization when several exist', async () => {
    const { operations, storage } = testOperations();
    const { id: _, ...organization } = await operations.organizations.create({ name: 'Acme' });
    await storage.organizations.insert(otherOrgId, {
      ...organization,
      id: otherOrgId,
      created_at: '2025-02-01T00:00:00.000Z',
    });
    await storage.organizations.insert(orgId, { ...organization, id: orgId, created_at: '2025-01-01T00:00:00.000Z' });
    expect((await operations.organizations.ensureDefault()).id).toBe(orgId);
  });
});

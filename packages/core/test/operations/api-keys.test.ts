import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { requireScope } from '../../src/operations/principal.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations } from './support.ts';

describe('API keys', () => {
  it('are shown once, stored as a hash, and open their organization', async () => {
    const { operations, storage } = testOperations();
    const { apiKey, secret } = await operations.apiKeys.issue(orgId, { name: 'ci' });
    expect(secret).toMatch(/^va_live_[\w-]{43}$/);
    const hash = createHash('sha256').update(secret).digest('hex');
    expect(await storage.apiKeys.findByHash(hash)).toEqual({ ...apiKey, hash });
    expect(JSON.stringify([apiKey, await operations.apiKeys.list(orgId)])).not.toContain(hash);
    expect(await operations.apiKeys.list(orgId)).toEqual([apiKey]);
    expect(await operations.apiKeys.list(otherOrgId)).toEqual([]);
    const principal = await operations.apiKeys.authenticate(`bearer ${secret}`);
    expect(principal).toEqual({ orgId, scopes: ['*'], keyId: apiKey.id });
  });

  it.each([null, '', 'Bearer', 'Bearer ', 'Basic x', 'Bearer a b', 'Bearer \u00e9', `Bearer ${'x'.repeat(600)}`])(
    'are not %j',
    async (authorization) => {
      const { operations } = testOperations();
      const error = await refusal(operations.apiKeys.authenticate(authorization));
      expect([error.status, error.code]).toEqual([401, 'unauthorized']);
    },
  );

  it('are refused when one character differs', async () => {
    const { operations } = testOperations();
    const { secret } = await operations.apiKeys.issue(orgId, { name: 'ci' });
    const error = await refusal(operations.apiKeys.authenticate(`Bearer ${secret.slice(0, -1)}`));
    expect(error.code).toBe('unauthorized');
  });

  it('expire at their time', async () => {
    const { operations, clock } = testOperations();
    const { secret } = await operations.apiKeys.issue(orgId, { name: 'ci', expires_at: '2026-01-01T10:00:00+01:00' });
    expect(await refusal(operations.apiKeys.authenticate(`Bearer ${secret}`))).toMatchObject({
      code: 'api_key_expired',
    });
    const later = await operations.apiKeys.issue(orgId, { name: 'ci', expires_at: '2026-01-01T09:00:01Z' });
    await operations.apiKeys.authenticate(`Bearer ${later.secret}`);
    await clock.advance(1_000);
    const error = await refusal(operations.apiKeys.authenticate(`Bearer ${later.secret}`));
    expect([error.status, error.code]).toEqual([401, 'api_key_expired']);
  });

  it('are refused once revoked', async () => {
    const { operations, storage } = testOperations();
    const { apiKey } = await operations.apiKeys.issue(orgId, { name: 'ci' });
    const secret = 'va_live_revoked';
    const hash = createHash('sha256').update(secret).digest('hex');
    const revoked = { ...apiKey, id: '00000000-0000-7000-8000-0000000000aa', hash, revoked_at: apiKey.created_at };
    await storage.apiKeys.insert(revoked);
    const error = await refusal(operations.apiKeys.authenticate(`Bearer ${secret}`));
    expect([error.status, error.code]).toEqual([401, 'api_key_revoked']);
  });

  it('open what their scopes name', async () => {
    const { operations } = testOperations();
    const { secret } = await operations.apiKeys.issue(orgId, { name: 'ci', scopes: ['calls:read'] });
    const principal = await operations.apiKeys.authenticate(`Bearer ${secret}`);
    expect(() => requireScope(principal, 'calls:read')).not.toThrow();
    expect(() => requireScope(principal, 'calls:write')).toThrow(expect.objectContaining({ status: 403 }));
    expect(() => requireScope({ ...principal, scopes: ['*'] }, 'calls:write')).not.toThrow();
  });

  it('need a name, and a date that is one', async () => {
    const { operations } = testOperations();
    const error = await refusal(operations.apiKeys.issue(orgId, { expires_at: 'never' }));
    expect(faultsOf(error).sort()).toEqual(['expires_at invalid_field', 'name missing_field']);
  });
});

describe('the default organization', () => {
  it('is made once, also by nodes that start at once', async () => {
    const { operations, storage } = testOperations();
    const made = await Promise.all([1, 2, 3].map(() => operations.organizations.ensureDefault()));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await storage.organizations.list()).toEqual([made[0]]);
  });

  it('is the oldest where there are some', async () => {
    const { operations, storage } = testOperations();
    const organization = { name: 'Acme', plan: 'x', webhook_url: null, webhook_secret: null };
    await storage.organizations.insert({ ...organization, id: otherOrgId, created_at: '2025-02-01T00:00:00.000Z' });
    await storage.organizations.insert({ ...organization, id: orgId, created_at: '2025-01-01T00:00:00.000Z' });
    expect((await operations.organizations.ensureDefault()).id).toBe(orgId);
  });
});

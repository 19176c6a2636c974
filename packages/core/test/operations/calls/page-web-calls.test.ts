import { describe, expect, it } from 'vitest';
import type { PublishableKeyRecord } from '../../../src/domain/accounts/publishable-key.ts';
import type { NewWebCall } from '../../../src/domain/calls/web-call.ts';
import { allowedKey, requireOrigin } from '../../../src/operations/calls/page-web-calls.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, refusal, unknownId } from '../support.ts';

const origin = 'https://www.example.com';
const agentId = '00000000-0000-7000-8000-000000000001';
const key: PublishableKeyRecord = untyped({
  id: unknownId,
  origins: [origin],
  agents: [agentId],
  variables: ['name', 'vip'],
  revoked_at: null,
});

/** Checks a request against the stored key; the caller presents an earlier state of it. */
async function check(
  input: Partial<NewWebCall> = {},
  stored: PublishableKeyRecord | null = key,
  from: string | null = origin,
): Promise<PublishableKeyRecord> {
  const storage = untyped({ publishableKeys: { get: async () => stored } });
  const publishableKey = untyped({ id: unknownId, org_id: orgId, origins: ['*'], agents: [] });
  return await allowedKey(storage, { publishableKey, origin: from }, { agent_id: agentId, ...input });
}

describe('a call of a page', () => {
  it('is allowed by the stored key', async () => {
    expect(await check({ variables: { name: 'x'.repeat(500), vip: true } })).toBe(key);
    expect(await check({ variables: { name: 7 } })).toBe(key);
  });

  it.each([
    ['was deleted', null],
    ['was revoked', { ...key, revoked_at: '2026-01-01T09:00:00.000Z' }],
  ])('is refused once its key %s', async (_case, stored) => {
    expect(await refusal(check({}, stored))).toMatchObject({ status: 401, code: 'api_key_revoked' });
  });

  it.each([
    ['another origin', 'https://www.example.org'],
    ['another scheme', 'http://www.example.com'],
    ['another port', 'https://www.example.com:8443'],
    ['a name below it', 'https://a.www.example.com'],
    ['the origin with a path', 'https://www.example.com/'],
    ['no origin', null],
  ])('is refused from %s', async (_case, from) => {
    expect(await refusal(check({}, key, from))).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('is refused to another agent', async () => {
    const error = await refusal(check({ agent_id: unknownId }));
    expect([error.status, error.message]).toEqual([403, `The publishable key does not allow the agent ${unknownId}.`]);
  });

  it('has no metadata', async () => {
    expect(faultsOf(await refusal(check({ metadata: {} })))).toEqual(['metadata invalid_field']);
  });

  it.each([
    ['a variable that the key does not have', { city: 'Utrecht' }, ['variables.city invalid_field']],
    ['a text of 501 characters', { name: 'x'.repeat(501) }, ['variables.name invalid_field']],
    ['an object', { name: {} }, ['variables.name invalid_field']],
    ['null', { name: null }, ['variables.name invalid_field']],
    ['several faults', { a: 1, b: 2, name: 'Ann' }, ['variables.a invalid_field', 'variables.b invalid_field']],
  ])('is refused with %s', async (_case, variables, faults) => {
    expect(faultsOf(await refusal(check({ variables })))).toEqual(faults);
  });
});

describe('requireOrigin', () => {
  it('returns the origin of the page', () => {
    expect(requireOrigin(key, origin)).toBe(origin);
  });

  it('quotes at most 255 characters of another one', () => {
    expect(() => requireOrigin(key, `https://${'x'.repeat(1_000)}`)).toThrow(
      `The publishable key does not allow pages of https://${'x'.repeat(247)}.`,
    );
  });
});

import { expect, it } from 'vitest';
import { requireScope, toPrincipal } from '../../../src/operations/accounts/principal.ts';

const orgId = '0b5c8f5e-7a30-4c1f-9d0e-0a4f8f1c2d3e';

it('grants every scope to a principal of the host that lists none', () => {
  expect(toPrincipal({ orgId })).toEqual({ orgId, scopes: ['*'], keyId: null });
  expect(toPrincipal({ orgId, subject: 'ada', scopes: ['calls:read'] })).toMatchObject({ scopes: ['calls:read'] });
});

it('accepts upper-case letters in an organization id', () => {
  expect(toPrincipal({ orgId: orgId.toUpperCase() }).orgId).toBe(orgId);
});

it.each(['acme', '', `${orgId}0`])('throws an explanatory error when the host returns the orgId %j', (id) => {
  expect(() => toPrincipal({ orgId: id })).toThrow(/^authenticate\(\) returned orgId ".*", which is not a UUID\.$/);
});

it('rejects an operation outside the granted scopes', () => {
  const refused = expect.objectContaining({ status: 403, code: 'forbidden' });
  expect(() => requireScope({ scopes: ['calls:read'] }, 'calls:write')).toThrow(refused);
  expect(() => requireScope({ scopes: ['calls:write'] }, 'calls:write')).not.toThrow();
});

import { describe, expect, it } from 'vitest';
import type { NewPublishableKey, PublishableKey } from '../../../src/domain/accounts/publishable-key.ts';
import { systemRandom } from '../../../src/ids.ts';
import { requireScope } from '../../../src/operations/accounts/principal.ts';
import { createPublishableKeyOperations } from '../../../src/operations/accounts/publishable-keys.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

type Setup = ReturnType<typeof testOperations>;

async function issued(
  { operations }: Setup,
  changes: Partial<NewPublishableKey> = {},
  grantable?: readonly string[],
): Promise<PublishableKey> {
  const { id } = await operations.agents.create(orgId, { name: 'Anna' });
  const input = { name: 'Site', agents: [id], origins: ['https://www.example.com'], ...changes };
  return await operations.publishableKeys.create(orgId, input, grantable);
}

describe('publishable keys', () => {
  it('are shown again in lists, to their organization only', async () => {
    const setup = testOperations();
    const key = await issued(setup);
    const { publishableKeys } = setup.operations;
    expect(key.key).toMatch(/^va_pk_[\w-]{43}$/);
    expect(await publishableKeys.list(orgId)).toEqual([key]);
    expect(await publishableKeys.get(orgId, key.id)).toEqual(key);
    expect(await publishableKeys.list(otherOrgId)).toEqual([]);
    expect((await refusal(publishableKeys.get(otherOrgId, key.id))).code).toBe('publishable_key_not_found');
  });

  it('have a principal without scopes', async () => {
    const setup = testOperations();
    const key = await issued(setup);
    const principal = await setup.operations.publishableKeys.authenticate(`bearer ${key.key}`);
    expect(principal).toEqual({ orgId, scopes: [], keyId: key.id, publishableKey: key });
    const refused = () => requireScope({ scopes: principal?.scopes ?? ['*'] }, 'calls:write');
    expect(refused).toThrow(expect.objectContaining({ status: 403 }));
  });

  it.each([null, '', 'Bearer va_live_x', 'Bearer pk_live_of_another_service', `Basic va_pk_${'x'.repeat(43)}`])(
    'do not handle the Authorization header %j',
    async (authorization) => {
      const { operations } = testOperations();
      expect(await operations.publishableKeys.authenticate(authorization)).toBeNull();
    },
  );

  it('are refused when they are unknown, expired or revoked', async () => {
    const setup = testOperations();
    const { operations, clock } = setup;
    const authenticate = (key: string) => refusal(operations.publishableKeys.authenticate(`Bearer ${key}`));
    expect(await authenticate(`va_pk_${'x'.repeat(43)}`)).toMatchObject({ status: 401, code: 'unauthorized' });
    const brief = await issued(setup, { expires_at: '2026-01-01T09:00:01Z' });
    await operations.publishableKeys.authenticate(`Bearer ${brief.key}`);
    await clock.advance(1_000);
    expect(await authenticate(brief.key)).toMatchObject({ status: 401, code: 'api_key_expired' });
    const { id, key } = await issued(setup);
    await operations.publishableKeys.authenticate(`Bearer ${key}`);
    await operations.publishableKeys.revoke(orgId, id);
    expect(await authenticate(key)).toMatchObject({ status: 401, code: 'api_key_revoked' });
    expect((await refusal(operations.publishableKeys.revoke(orgId, id))).code).toBe('publishable_key_not_found');
    expect((await operations.publishableKeys.list(orgId)).map((each) => each.id)).toEqual([brief.id]);
  });

  it('apply changes at once here, and within seconds on other nodes', async () => {
    const here = testOperations();
    const there = createPublishableKeyOperations({ ...here, random: systemRandom });
    const { id, key } = await issued(here);
    const known = async ({ authenticate }: typeof there) => (await authenticate(`Bearer ${key}`))?.publishableKey;
    await known(here.operations.publishableKeys);
    await known(there);
    const changed = await here.operations.publishableKeys.update(orgId, id, { minutes_per_day: 5 });
    expect(changed).toMatchObject({ minutes_per_day: 5, name: 'Site', calls_per_minute: 10 });
    expect(await known(here.operations.publishableKeys)).toEqual(changed);
    await here.clock.advance(5_000);
    expect(await known(there)).toEqual(changed);
  });

  it.each([
    ['http://www.example.com', 'without TLS'],
    ['https://www.example.com/', 'with a path'],
    ['https://*.example.com', 'with a wildcard'],
    ['https://WWW.example.com', 'in capitals, which browsers never send'],
    ['https://www.example.com:443', 'with the default port'],
    ['null', 'of sandboxed pages'],
    ['*', 'for all'],
    ['http://localhost.example.com', 'that only begins like localhost'],
    ['http://127.0.0.1.example.com', 'that only begins like an address'],
    ['chrome-extension://abc', 'of an extension'],
    ['www.example.com', 'without a scheme'],
  ])('refuse the origin %s, one %s', async (origin) => {
    const setup = testOperations();
    const error = await refusal(issued(setup, { origins: ['https://a.example', origin] }));
    expect(faultsOf(error)).toEqual(['origins.1 invalid_field']);
  });

  it.each(['https://www.example.com:8443', 'http://localhost:3000', 'http://127.0.0.1:8080', 'http://[::1]:1'])(
    'accept the origin %s',
    async (origin) => {
      expect((await issued(testOperations(), { origins: [origin] })).origins).toEqual([origin]);
    },
  );

  it('refuse empty lists, unknown agents, and invalid limits', async () => {
    const setup = testOperations();
    const faults = async (changes: Partial<NewPublishableKey>) => faultsOf(await refusal(issued(setup, changes)));
    expect(await faults({ agents: [], origins: [] })).toEqual(['agents invalid_field', 'origins invalid_field']);
    expect(await faults({ agents: [unknownId] })).toEqual(['agents.0 invalid_reference']);
    expect(await faults({ calls_per_minute: 0, minutes_per_day: 0, max_call_seconds: 29 })).toHaveLength(3);
    expect(await faults({ expires_at: '2020-01-01T00:00:00Z' })).toEqual(['expires_at invalid_field']);
    const { id } = await issued(setup);
    const update = setup.operations.publishableKeys.update(orgId, id, { agents: [unknownId] });
    expect(faultsOf(await refusal(update))).toEqual(['agents.0 invalid_reference']);
  });

  // Security: a key that may not begin calls could grant that to itself.
  it('are created and changed only by callers that may begin calls', async () => {
    const setup = testOperations();
    expect((await refusal(issued(setup, {}, ['api-keys:write']))).code).toBe('forbidden');
    const { id } = await issued(setup, {}, ['api-keys:write', 'calls:write']);
    const { publishableKeys } = setup.operations;
    expect((await refusal(publishableKeys.update(orgId, id, {}, ['api-keys:write']))).code).toBe('forbidden');
  });

  it('number at most 100 in an organization', async () => {
    const setup = testOperations({ random: systemRandom });
    const { id } = await issued(setup);
    for (let n = 1; n < 100; n += 1) await issued(setup);
    expect(await refusal(issued(setup))).toMatchObject({ status: 409, code: 'too_many_api_keys' });
    await setup.operations.publishableKeys.revoke(orgId, id);
    expect((await issued(setup)).name).toBe('Site');
  });
});

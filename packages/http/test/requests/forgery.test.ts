import { describe, expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import { createTestHost } from '../support/host.ts';

const { host, orgId, key } = await createTestHost();
/** A host whose session is a cookie, as of its own login. */
const withSession = {
  ...host,
  authenticate: async (credentials: Parameters<typeof host.authenticate>[0]) => {
    if (credentials.toRequest().headers.get('cookie') !== 'session=1') return await host.authenticate(credentials);
    return { orgId, scopes: ['*'], keyId: null };
  },
};
const handler = createHandler(withSession);

async function create(headers: Record<string, string>): Promise<number> {
  const body = JSON.stringify({ name: 'Anna' });
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  return (await handler.fetch(new Request('http://x/api/v1/agents', init))).status;
}

describe('a session of the host', () => {
  const cookie = 'session=1';

  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, 201],
    [{ 'sec-fetch-site': 'none' }, 201],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'http://x', host: 'x' }, 201],
    [{ origin: 'http://evil.test', host: 'x' }, 403],
    [{ origin: 'null', host: 'x' }, 403],
    [{}, 201],
  ])('with the headers %j receives %d for a change', async (headers, status) => {
    expect(await create({ cookie, ...headers })).toBe(status);
  });

  it('allows reads from any page', async () => {
    const headers = { cookie, 'sec-fetch-site': 'cross-site' };
    expect((await handler.fetch(new Request('http://x/api/v1/access', { headers }))).status).toBe(200);
  });

  it('does not restrict pages that send a key', async () => {
    expect(await create({ authorization: `Bearer ${key}`, 'sec-fetch-site': 'cross-site' })).toBe(201);
  });
});

import { createClient } from '@va/client';
import { createHandler } from '@va/http';
import { expect, it } from 'vitest';
import { createTestHost } from '../../packages/http/test/support/host.ts';

it('the client creates one agent when the response of the first attempt is lost', async () => {
  const { host, key } = await createTestHost();
  const handler = createHandler(host);
  let isLost = false;
  const client = createClient({
    baseUrl: 'http://service.test',
    apiKey: key,
    retry: { backoffMs: 1 },
    async fetch(input, init) {
      const response = await handler.fetch(new Request(input, init));
      if (isLost) return response;
      isLost = true;
      throw new TypeError('fetch failed');
    },
  });
  const made = await client.agents.create({ name: 'Reception' });
  expect(await client.agents.list()).toEqual([made]);
});

import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkSeed } from '../../bench/console/api/checks.ts';
import { readOptions } from '../../bench/console/options.ts';
import { seedStorage } from '../../bench/console/seed/seed.ts';
import { preparedDatabase, preparedPglite } from '../../packages/storage/test/support/prepared-pglite.ts';

describe('the seed of the console benchmark', () => {
  beforeAll(() => preparedDatabase());

  it('stores calls that the API shows, finds by their words, and counts in its statistics', async () => {
    const storage = preparedPglite();
    const va = createVoiceAgents({ storage, providers: [], webhooks: webhooks(), logger: silentLogger });
    await va.start();
    const seeded = await seedStorage(storage, 300);
    const { secret } = await va.operations.apiKeys.issue(seeded.orgId, { name: 'seed' });
    const handler = createHandler(va, { rateLimits: { requestsPerMinute: 0 } });
    const get = async (path: string): Promise<unknown> => {
      const url = `http://localhost/api/v1${path}`;
      const response = await handler.fetch(new Request(url, { headers: { authorization: `Bearer ${secret}` } }));
      expect(response.status).toBe(200);
      return await response.json();
    };
    await checkSeed({ get }, seeded);
    await va.close({ drainMs: 0 });
  });
});

describe('the options of the console benchmark', () => {
  it('reads a smaller size and the parts to run', () => {
    const { calls, parts } = readOptions(['--calls', '20000', '--parts', 'api,browser']);
    expect(calls).toBe(20_000);
    expect([...parts]).toEqual(['api', 'browser']);
  });

  it.each([
    ['--calls', 'many'],
    ['--parts', 'all'],
    ['--size', '3'],
  ])('refuses %s %s', (...args) => {
    expect(() => readOptions(args)).toThrow();
  });
});

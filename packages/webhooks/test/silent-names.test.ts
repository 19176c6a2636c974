import { setMaxListeners } from 'node:events';
import { systemClock } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { type HostLookup, webhooks } from '../src/index.ts';
import { answerJson, startCustomerServer } from './support/customer-server.ts';
import { testHost, webhook } from './support/dispatcher.ts';

// Security: 40 names with silent servers held up the webhooks and tools of all tenants.
describe('dispatcher, when name servers do not respond', () => {
  it('delivers the webhooks of other organizations', async () => {
    const server = await startCustomerServer((response) => answerJson(response, {}));
    const { port } = new URL(server.url);
    const lookup: HostLookup = (name, _options, callback) => {
      if (!name.startsWith('silent')) callback(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const dispatcher = webhooks({ allowPrivateTargets: true, lookup });
    dispatcher.start(testHost(systemClock));
    const over = new AbortController();
    setMaxListeners(0, over.signal);
    const ask = (name: string, orgId: string): Promise<unknown> => {
      const message = { ...webhook(`http://${name}:${port}/`, 'tool-calls', {}, orgId), orgId };
      return dispatcher.request(message, { timeoutMs: 60_000, signal: over.signal });
    };
    const slow = Array.from({ length: 40 }, (_, n) => ask(`silent${n}.example`, 'a'));
    expect(await ask('hooks.example', 'b')).toMatchObject({ ok: true });
    over.abort();
    const outcomes = await Promise.all(slow);
    const limited = { ok: false, reason: 'network', message: expect.stringContaining('Too many DNS lookups') };
    expect(outcomes).toEqual(expect.arrayContaining([expect.objectContaining(limited)]));
    await dispatcher.close({ drainMs: 0 });
    await server.close();
  });
});

import { type CallControl, createOperations, systemClock, systemRandom, uuidv7 } from '@va/core/adapter';
import { postgres } from '@va/storage/postgres';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { ScriptedWebhooks } from '@va/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Accepts every call, and never ends one. */
const control: CallControl = {
  nodeId: uuidv7(systemClock),
  acquireSlot: async () => ({ release() {} }),
  place() {},
  nodeOf: () => null,
  webCallUrlOf: async () => null,
  control: async () => '',
  ask: () => Promise.reject(new Error('there are no other processes')),
};

describe('outbound calls placed at the same time', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('are limited to the concurrency limit of the organization', async () => {
    const storage = postgres({ connectionString: server.connectionString, migrations: 'auto' });
    await storage.start();
    try {
      const operations = createOperations({
        storage,
        recordings: {
          create: () => Promise.reject(new Error('this store does not record')),
          open: async () => null,
          delete: async () => false,
        },
        webhooks: new ScriptedWebhooks(),
        control,
        clock: systemClock,
        random: systemRandom,
      });
      const { id: orgId } = await operations.organizations.create({ name: 'Callers', concurrency_limit: 2 });
      const agent = await operations.agents.create(orgId, { name: 'Anna' });
      const number = await operations.numbers.register(orgId, { phone_number: '+31201234567', agent_id: agent.id });
      await operations.trunks.create(orgId, {
        name: 'Main',
        provider: 'acme',
        address: 'sip.example.com',
        numbers: [number.number],
      });
      const placed = await Promise.allSettled(
        Array.from({ length: 10 }, () =>
          operations.calls.place(orgId, { destination: '+31687654321', agent_id: agent.id }),
        ),
      );
      expect(placed.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      expect((await operations.organizations.get(orgId)).active_calls).toBe(2);
    } finally {
      await storage.close();
    }
  });
});

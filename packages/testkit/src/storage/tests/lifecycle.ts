import assert from 'node:assert/strict';
import { StorageCapabilityError } from '@va/core/adapter';
import { assertCode, rejection } from '../expect.ts';
import { insertSample, newId } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** Tests of start, close and capabilities. */
export const lifecycleTests: readonly StorageTest[] = [
  {
    name: 'responds to a ping',
    run: ({ storage }) => storage.ping(),
  },
  {
    name: 'can be started twice and closed twice, and rejects its use after that until it is started again',
    async run({ storage }) {
      await storage.start();
      await storage.ping();
      await storage.close();
      await storage.close();
      try {
        const uses: Record<string, () => Promise<unknown>> = {
          ping: () => storage.ping(),
          get: () => storage.agents.get(newId(), newId()),
          insert: () => insertSample(storage, newId(), 'agents'),
          find: () => storage.across.agents.find({}, 1),
          transaction: () => storage.transaction(async () => {}),
        };
        for (const [name, use] of Object.entries(uses)) await assertCode(use(), 'storage_not_started', name);
      } finally {
        await storage.start();
      }
      await storage.ping();
    },
  },
  {
    name: 'keeps its records when it is opened again',
    needs: ['persistent'],
    async run({ storage, openAnother }) {
      const orgId = newId();
      const agent = await insertSample(storage, orgId, 'agents', { metadata: { z: 1, a: '😀' } });
      const aborted = storage.transaction(async (tx) => {
        await insertSample(tx, orgId, 'agents');
        throw new Error('no');
      });
      await assert.rejects(aborted);
      await storage.close();
      const again = await openAnother();
      try {
        await again.start();
        assert.deepStrictEqual(await again.agents.list(orgId, { limit: 9 }), [agent]);
      } finally {
        await again.close();
        await storage.start();
      }
      assert.deepStrictEqual(await storage.agents.get(orgId, agent.id), agent);
    },
  },
  {
    name: 'sees what another storage has committed on the same records',
    needs: ['shared'],
    async run({ peers }) {
      const orgId = newId();
      const [writer, reader] = [peers[0], peers[1]];
      assert.ok(writer !== undefined && reader !== undefined && writer !== reader);
      const agent = await insertSample(writer, orgId, 'agents');
      assert.deepStrictEqual(await reader.agents.get(orgId, agent.id), agent);
    },
  },
  {
    name: 'has nothing to migrate once it is started',
    needs: ['migrations'],
    async run({ storage }) {
      assert.deepStrictEqual(await storage.migrations.plan(), []);
      assert.deepStrictEqual(await storage.migrations.apply(), []);
    },
  },
  {
    name: 'plans migrations without being started, and without starting',
    needs: ['migrations', 'persistent'],
    async run({ storage, openAnother }) {
      await storage.close();
      try {
        const another = await openAnother();
        assert.deepStrictEqual(await another.migrations.plan(), []);
        await assertCode(another.ping(), 'storage_not_started', 'a storage that has planned');
      } finally {
        await storage.start();
      }
    },
  },
  {
    name: 'rejects a migration without that capability',
    unless: 'migrations',
    async run({ storage }) {
      for (const work of [storage.migrations.plan(), storage.migrations.apply()]) {
        const error = await rejection(work, 'a migration');
        assert.ok(error instanceof StorageCapabilityError, String(error));
        assert.equal(error.capability, 'migrations');
      }
    },
  },
];

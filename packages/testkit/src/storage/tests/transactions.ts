import assert from 'node:assert/strict';
import type { Records } from '@va/core/adapter';
import { anyAcross, anyCollection } from '../any-records.ts';
import { assertCode, assertUniqueViolation, ids } from '../expect.ts';
import { insertSample, newId, sampleRecord, schemaOf } from '../samples.ts';
import type { StorageTest } from '../storage-test.ts';

/** Tests of atomicity and isolation. */
export const transactionTests: readonly StorageTest[] = [
  {
    name: 'commits all of a transaction, and returns the result of its work',
    async run({ storage }) {
      const orgId = newId();
      const [agent, number] = await storage.transaction(async (tx) => {
        const inserted = await insertSample(tx, orgId, 'agents');
        return [inserted, await insertSample(tx, orgId, 'numbers', { agent_id: inserted.id })] as const;
      });
      assert.deepStrictEqual(await storage.agents.get(orgId, agent.id), agent);
      assert.deepStrictEqual(await storage.numbers.get(orgId, number.id), number);
    },
  },
  {
    name: 'rolls back a transaction whose work throws, whatever it did, and rethrows',
    async run({ storage }) {
      const orgId = newId();
      const agent = await insertSample(storage, orgId, 'agents');
      const number = await insertSample(storage, orgId, 'numbers', { agent_id: agent.id });
      const campaign = await insertSample(storage, orgId, 'campaigns');
      const lead = await insertSample(storage, orgId, 'leads', { campaign_id: campaign.id });
      const log = await insertSample(storage, orgId, 'usageLogs');
      const newLead = sampleRecord(schemaOf('leads'), 1, { campaign_id: campaign.id });
      const steps: Record<string, (tx: Records) => Promise<unknown>> = {
        insert: (tx) => insertSample(tx, orgId, 'toolTemplates'),
        insertMany: (tx) => anyCollection(tx, 'leads').insertMany(orgId, [newLead]),
        'insertMany across': (tx) => anyAcross(tx, 'leads').insertMany([{ orgId, record: newLead }]),
        update: (tx) => tx.agents.update(orgId, agent.id, { name: 'changed' }),
        updateMany: (tx) => tx.numbers.updateMany(orgId, {}, { name: 'changed' }),
        increment: (tx) => tx.usageLogs.increment(orgId, log.id, { duration_seconds: 1 }),
        claim: (tx) => tx.across.leads.claim({ filter: { where: { id: lead.id } }, changes: { name: 'x' }, limit: 1 }),
        delete: (tx) => tx.agents.delete(orgId, agent.id),
        purge: (tx) => tx.across.campaigns.purge({ where: { id: campaign.id } }, 9),
      };
      const all = (tx: Records): Promise<unknown>[] => Object.values(steps).map((step) => step(tx));
      const works = [
        ...Object.entries(steps),
        ['all of them', async (tx: Records) => await Promise.all(all(tx))] as const,
      ];
      for (const [verb, step] of works) {
        const reason = new Error(`no ${verb}`);
        const failing = storage.transaction(async (tx) => {
          await step(tx);
          throw reason;
        });
        await assert.rejects(failing, (thrown) => thrown === reason);
        assert.deepStrictEqual(await storage.agents.get(orgId, agent.id), agent, verb);
        assert.deepStrictEqual(await storage.numbers.get(orgId, number.id), number, verb);
        assert.deepStrictEqual(await storage.campaigns.get(orgId, campaign.id), campaign, verb);
        assert.deepStrictEqual(await storage.leads.get(orgId, lead.id), lead, verb);
        assert.equal(await storage.leads.get(orgId, newLead.id), null, verb);
        assert.deepStrictEqual(await storage.usageLogs.get(orgId, log.id), log, verb);
        assert.deepStrictEqual(await storage.toolTemplates.list(orgId, { limit: 9 }), [], verb);
      }
    },
  },
  {
    name: 'reads its own writes in a transaction',
    async run({ storage }) {
      const orgId = newId();
      await storage.transaction(async (tx) => {
        const agent = await insertSample(tx, orgId, 'agents');
        assert.deepStrictEqual(await tx.agents.get(orgId, agent.id), agent);
        assert.deepStrictEqual(await tx.agents.list(orgId, { limit: 9 }), [agent]);
        await tx.agents.update(orgId, agent.id, { name: 'changed' });
        assert.equal((await tx.agents.get(orgId, agent.id))?.name, 'changed');
        assert.equal(await tx.agents.count(orgId, { where: { id: agent.id, name: 'changed' } }), 1);
        const [found] = await tx.across.agents.find({ where: { id: agent.id } }, 1);
        assert.equal(found?.record.name, 'changed');
        await tx.agents.delete(orgId, agent.id);
        assert.equal(await tx.agents.get(orgId, agent.id), null);
      });
    },
  },
  {
    name: 'shows nothing of a transaction before its commit',
    async run({ storage, peers }) {
      const orgId = newId();
      const reader = peers.at(-1) ?? storage;
      const written = signal();
      const seen = signal();
      const transaction = storage.transaction(async (tx) => {
        const { id } = await insertSample(tx, orgId, 'agents');
        await tx.agents.update(orgId, id, { name: 'changed' });
        written.give();
        await seen.given;
      });
      await written.given;
      const listing = reader.agents.list(orgId, { limit: 9 });
      // A storage with one connection answers when it is free; the transaction is then visible entirely, or not at all.
      const patience = new Promise<null>((resolve) => setTimeout(resolve, 100, null));
      const early = await Promise.race([listing, patience]);
      seen.give();
      await transaction;
      assert.deepStrictEqual(early ?? [], [], 'seen before the transaction was done');
      const late = early === null ? await listing : await reader.agents.list(orgId, { limit: 9 });
      assert.deepStrictEqual(
        late.map(({ name }) => name),
        ['changed'],
      );
    },
  },
  {
    name: 'rejects a transaction inside a transaction, and continues',
    async run({ storage }) {
      const nested = storage.transaction(() => storage.transaction(async () => {}));
      await assertCode(nested, 'nested_transaction', 'nesting');
      assert.equal(await storage.transaction(async () => 'next'), 'next');
    },
  },
  {
    name: 'rejects verbs of the storage inside its transaction, which would not be part of it',
    async run({ storage }) {
      const past = storage.transaction(() => insertSample(storage, newId(), 'agents'));
      await assertCode(past, 'nested_transaction', 'a write past the transaction');
      const reading = storage.transaction(() => storage.agents.get(newId(), newId()));
      await assertCode(reading, 'nested_transaction', 'a read past the transaction');
    },
  },
  {
    name: 'rejects the records of a transaction that has ended',
    async run({ storage }) {
      const kept = await storage.transaction(async (tx) => tx);
      await assertCode(insertSample(kept, newId(), 'agents'), 'transaction_over', 'after a commit');
      let failed: Records | undefined;
      const failing = storage.transaction(async (tx) => {
        failed = tx;
        throw new Error('no');
      });
      await assert.rejects(failing);
      assert.ok(failed !== undefined);
      await assertCode(failed.agents.get(newId(), newId()), 'transaction_over', 'after a rollback');
    },
  },
  {
    name: 'rolls back after a verb that threw, even if its work went on',
    async run({ storage }) {
      const orgId = newId();
      const agent = await insertSample(storage, orgId, 'agents');
      const going = storage.transaction(async (tx) => {
        await insertSample(tx, orgId, 'toolTemplates');
        await insertSample(tx, orgId, 'agents', { id: agent.id }).catch(() => {});
        await assertCode(tx.agents.get(orgId, agent.id), 'transaction_spoiled', 'a verb after one that threw');
      });
      await assertUniqueViolation(going, 'id', 'the transaction');
      assert.deepStrictEqual(await storage.toolTemplates.list(orgId, { limit: 9 }), []);
    },
  },
  {
    name: 'serves many transactions at once',
    async run({ storage }) {
      const orgId = newId();
      const insertions = Array.from({ length: 30 }, () =>
        storage.transaction((tx) => insertSample(tx, orgId, 'agents')),
      );
      const inserted = await Promise.all(insertions);
      const listed = await storage.agents.list(orgId, { limit: 99 });
      assert.deepStrictEqual(ids(listed).sort(), ids(inserted).sort());
    },
  },
];

interface Signal {
  readonly given: Promise<void>;
  give(): void;
}

function signal(): Signal {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

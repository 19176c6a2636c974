import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { type Records, ReferenceViolation, UniqueViolation } from '@va/core/adapter';
import { type AnyRecord, anyCollection } from '../../../../src/storage/any-records.ts';
import { altered, tick } from '../altered.ts';
import type { Defect } from './defect.ts';

/** Defects of writes: races, constraints and transactions. */
export const writingDefects: readonly Defect[] = [
  {
    name: 'compares a record with the expected values and changes it in two steps',
    foundBy: ['lets one of many updates with the same expectation win'],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          async update(orgId, id, changes, expected = {}) {
            const [found] = await collection.list(orgId, { limit: 1, where: { ...expected, id } });
            if (found === undefined) return null;
            await tick();
            return await collection.update(orgId, id, changes);
          },
        }),
      }),
  },
  {
    name: 'claims in two steps',
    foundBy: ['gives each record to one of many claims, and leaves none unclaimed'],
    open: () =>
      altered({
        across: ({ collection, across }) => ({
          async claim({ filter, changes, limit, orderBy = 'created_at' }) {
            const found = await across.find(filter, 10_000);
            const key = ({ record }: { record: AnyRecord }): string => String(record[orderBy] ?? '\uFFFF');
            found.sort((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
            await tick();
            const claimed = found.slice(0, limit).map(async ({ orgId, record }) => {
              return { orgId, record: (await collection.update(orgId, record.id, changes)) ?? record };
            });
            return await Promise.all(claimed);
          },
        }),
      }),
  },
  {
    name: 'increments in two steps',
    foundBy: ['loses none of many increments'],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          async increment(orgId, id, amounts, expected = {}) {
            const [found] = await collection.list(orgId, { limit: 1, where: { ...expected, id } });
            if (found === undefined) return null;
            const sums = Object.entries(amounts).map(([field, amount]) => {
              const value = found[field];
              return [field, value === null ? null : Number(value) + Number(amount)];
            });
            await tick();
            return await collection.update(orgId, id, Object.fromEntries(sums));
          },
        }),
      }),
  },
  {
    name: 'checks a unique value and inserts it in two steps',
    foundBy: ['lets one of many inserts with the same unique value win'],
    open: () =>
      altered({
        verbs: ({ name, collection, across }) => ({
          async insert(orgId, record) {
            if (name !== 'numbers') return await collection.insert(orgId, record);
            const isTaken = (await across.find({ where: { number: record.number } }, 1)).length > 0;
            await tick();
            try {
              await collection.insert(orgId, record);
            } catch (error) {
              if (isTaken || !isViolationOf(error, 'number')) throw error;
              await collection.insert(orgId, { ...record, number: `${record.number} again` });
            }
          },
        }),
      }),
  },
  {
    name: 'enforces a constraint of the deployment within one organization only',
    foundBy: ['enforces a constraint of the deployment across organizations'],
    open: () =>
      altered({
        verbs: ({ name, collection }) => ({
          async insert(orgId, record) {
            try {
              await collection.insert(orgId, record);
            } catch (error) {
              if (name !== 'numbers' || !isViolationOf(error, 'number')) throw error;
              const own = await collection.list(orgId, { limit: 1, where: { number: record.number } });
              if (own.length > 0) throw error;
              await collection.insert(orgId, { ...record, number: `${record.number} again` });
            }
          },
        }),
      }),
  },
  {
    name: 'enforces a constraint of an organization in the whole deployment',
    foundBy: ['enforces a constraint of an organization in that one only'],
    open: () =>
      altered({
        verbs: ({ name, collection, across }) => ({
          async insert(orgId, record) {
            const like = { where: { provider: record.provider } };
            if (name === 'byokKeys' && (await across.find(like, 1)).length > 0) throw new UniqueViolation('provider');
            await collection.insert(orgId, record);
          },
        }),
      }),
  },
  {
    name: 'returns uncommitted records of a transaction',
    foundBy: ['shows nothing of a transaction before its commit'],
    open: () => {
      let uncommitted: Records | null = null;
      return altered({
        storage: (sound) => ({
          transaction: (work) =>
            sound.transaction(async (tx) => {
              uncommitted = tx;
              try {
                return await work(tx);
              } finally {
                uncommitted = null;
              }
            }),
        }),
        verbs: ({ name, collection }) => ({
          async list(orgId, query) {
            const committed = collection.list(orgId, query);
            // A list that does not wait for the transaction resolves within the same turn of the event loop.
            const early = await Promise.race([committed, setImmediate(null)]);
            if (early !== null || uncommitted === null) return await committed;
            committed.catch(() => {});
            return await anyCollection(uncommitted, name).list(orgId, query);
          },
        }),
      });
    },
  },
  {
    name: 'commits a transaction whose work throws',
    foundBy: ['rolls back a transaction whose work throws, whatever it did, and rethrows'],
    open: () =>
      altered({
        storage: (sound) => ({
          async transaction(work) {
            const result = await sound.transaction(async (tx) => {
              try {
                return { returned: await work(tx) };
              } catch (thrown) {
                return { thrown };
              }
            });
            if ('thrown' in result) throw result.thrown;
            return result.returned;
          },
        }),
      }),
  },
  {
    name: 'runs a nested transaction as part of the outer one',
    foundBy: ['rejects a transaction inside a transaction, and continues'],
    open: () => {
      const current = new AsyncLocalStorage<Records>();
      return altered({
        storage: (sound) => ({
          async transaction(work) {
            const outer = current.getStore();
            return outer ? await work(outer) : await sound.transaction((tx) => current.run(tx, () => work(tx)));
          },
        }),
      });
    },
  },
  {
    name: 'inserts the records of insertMany that precede a rejected one',
    foundBy: ['inserts none of many when one has an unknown reference'],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          async insertMany(orgId, records) {
            try {
              return await collection.insertMany(orgId, records);
            } catch (error) {
              if (error instanceof ReferenceViolation) await collection.insertMany(orgId, records.slice(0, 1));
              throw error;
            }
          },
        }),
      }),
  },
  {
    name: 'inserts records of several organizations for one of them',
    foundBy: [
      'inserts records of several organizations, each for its owner',
      'skips taken records within their organization only',
      'inserts no record of several organizations when one has an unknown reference',
    ],
    open: () =>
      altered({
        across: ({ collection }) => ({
          insertMany: async (owned) =>
            await collection.insertMany(
              String(owned[0]?.orgId),
              owned.map(({ record }) => record),
            ),
        }),
      }),
  },
  {
    name: 'inserts the records of several organizations that precede a rejected one',
    foundBy: ['inserts no record of several organizations when one has an unknown reference'],
    open: () =>
      altered({
        across: ({ across }) => ({
          async insertMany(owned) {
            try {
              return await across.insertMany(owned);
            } catch (error) {
              if (error instanceof ReferenceViolation) await across.insertMany(owned.slice(0, 1));
              throw error;
            }
          },
        }),
      }),
  },
];

function isViolationOf(error: unknown, constraint: string): boolean {
  return error instanceof UniqueViolation && error.constraint === constraint;
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { type Records, ReferenceViolation, type Storage, UniqueViolation } from '@va/core';
import { type AnyRecord, anyAcross, anyCollection } from '../../../src/storage/any-records.ts';
import { altered, alteredGet, alteredKind, ownerOf, tick } from './altered.ts';

export interface Defect {
  /** What is wrong with the storage. */
  readonly name: string;
  readonly open: () => Storage;
  /** The names of the tests that find it, and no others do. */
  readonly foundBy: readonly string[];
}

/** Storages that are sound but for one thing each. */
export const defects: readonly Defect[] = [
  {
    name: 'loses updates: looks whether a record is as expected, and then changes it',
    foundBy: ['lets one of many updates that expect the same win'],
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
    foundBy: ['gives each record to one of many claims, and all of them to somebody'],
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
    name: 'adds in two steps',
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
    name: 'looks whether a unique value is taken, and then inserts',
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
    name: 'holds a constraint of the deployment in one organization only',
    foundBy: ['holds a constraint of the deployment across organizations'],
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
    name: 'holds a constraint of an organization in the whole deployment',
    foundBy: ['holds a constraint of an organization in that one alone'],
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
    name: 'shows what a transaction has not committed',
    foundBy: ['shows nothing of a transaction before it is done'],
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
            const early = await Promise.race([
              committed,
              new Promise<null>((resolve) => setTimeout(resolve, 20, null)),
            ]);
            if (early !== null || uncommitted === null) return await committed;
            committed.catch(() => {});
            return await anyCollection(uncommitted, name).list(orgId, query);
          },
        }),
      });
    },
  },
  {
    name: 'keeps what a transaction did before its work threw',
    foundBy: ['keeps nothing of a transaction whose work throws, whatever it did, and throws that'],
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
    name: 'runs a transaction in a transaction as a part of it',
    foundBy: ['refuses a transaction inside a transaction, and goes on'],
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
    name: 'inserts those of many that stand before one that is refused',
    foundBy: ['inserts none of many when one refers to what is not there'],
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
    name: 'leaves the order of records of one moment to chance',
    foundBy: ['orders records of one moment by their ids', 'pages by cursor through records of one moment'],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          async list(orgId, query) {
            if (query.after !== undefined) return await collection.list(orgId, query);
            const { offset = 0, limit, ...rest } = query;
            const all = await collection.list(orgId, { ...rest, limit: 100_000 });
            const chance = ({ id }: AnyRecord): string => [...id].reverse().join('');
            const sorted = all.map((record, place) => ({ record, place }));
            sorted.sort((a, b) => {
              if (a.record.created_at !== b.record.created_at) return a.place - b.place;
              return chance(a.record) < chance(b.record) ? -1 : 1;
            });
            return sorted.slice(offset, offset + limit).map(({ record }) => record);
          },
        }),
      }),
  },
  {
    name: 'begins a page with the record at the cursor',
    foundBy: [
      'pages by cursor without a record twice or left out, while others are inserted and deleted',
      'pages by cursor through records of one moment',
      'pages by cursor through what a filter finds',
    ],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          async list(orgId, query) {
            const page = await collection.list(orgId, query);
            const at = query.after === undefined ? null : await collection.get(orgId, query.after.id);
            return at === null ? page : [at, ...page].slice(0, query.limit);
          },
        }),
      }),
  },
  {
    name: 'ignores alternatives when it counts',
    foundBy: ['counts exactly what one of several alternatives finds, each record once'],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          count: (orgId, filter) => collection.count(orgId, filter?.where === undefined ? {} : { where: filter.where }),
        }),
      }),
  },
  {
    name: 'finds nulls in ranges',
    foundBy: ['lists exactly what a filter finds, by every field'],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          async list(orgId, query) {
            const ended = query.where?.ended_at;
            if (typeof ended !== 'object' || ended === null || !('lt' in ended))
              return await collection.list(orgId, query);
            const { ended_at: _, ...where } = query.where ?? {};
            return await collection.list(orgId, { ...query, where, anyOf: [{ ended_at: ended }, { ended_at: null }] });
          },
        }),
      }),
  },
  {
    name: 'cuts JSON off at 64 KiB',
    foundBy: ['keeps JSON of a megabyte'],
    open: () => altered(alteredKind('json', (value) => (JSON.stringify(value).length > 65_536 ? {} : value))),
  },
  {
    name: 'cuts texts off at 64 KiB',
    foundBy: ['keeps a text of a megabyte'],
    open: () => altered(alteredKind('text', (value) => String(value).slice(0, 65_536))),
  },
  {
    name: 'sorts the keys of JSON',
    foundBy: ['keeps the order of the keys of JSON'],
    open: () => altered(alteredKind('json', sortKeys)),
  },
  {
    name: 'takes instants for the local time of a country with summer time',
    foundBy: ['keeps instants in summer, and where clocks change'],
    open: () =>
      altered(
        alteredKind('timestamp', (value) => {
          const date = new Date(String(value));
          const zone = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Amsterdam', timeZoneName: 'shortOffset' });
          const isSummer = zone.format(date).endsWith('GMT+2');
          return new Date(date.getTime() - (isSummer ? 3_600_000 : 0)).toISOString();
        }),
      ),
  },
  {
    name: 'keeps timestamps to the second',
    foundBy: ['keeps the milliseconds of a timestamp'],
    open: () => altered(alteredKind('timestamp', (value) => `${String(value).slice(0, 19)}.000Z`)),
  },
  {
    name: 'keeps instants in 32 bits',
    foundBy: ['keeps instants from 1970 to 9999'],
    open: () =>
      altered(
        alteredKind('timestamp', (value) => {
          const seconds = Math.min(Date.parse(String(value)) / 1_000, 2 ** 31 - 1);
          return new Date(seconds * 1_000).toISOString();
        }),
      ),
  },
  {
    name: 'keeps integers in 32 bits',
    foundBy: ['keeps integers up to 2^53 - 1'],
    open: () => altered(alteredKind('integer', (value) => Number(value) | 0)),
  },
  {
    name: 'keeps numbers in single precision',
    foundBy: ['keeps doubles exactly'],
    open: () => altered(alteredKind('number', (value) => Math.fround(Number(value)))),
  },
  {
    name: 'loses a record whose text has U+0000',
    foundBy: ['keeps a record whose text has U+0000, which becomes U+FFFD'],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          async insert(orgId, record) {
            if (!/(?<!\\)\\u0000/.test(JSON.stringify(record))) await collection.insert(orgId, record);
          },
        }),
      }),
  },
  {
    name: 'returns the same object twice',
    foundBy: ['shares nothing with who inserted a record, or reads it'],
    open: () => {
      const known = new Map<string, AnyRecord>();
      return altered(
        alteredGet((record) => {
          const key = JSON.stringify(record);
          const same = known.get(key) ?? record;
          known.set(key, same);
          return same;
        }),
      );
    },
  },
  {
    name: 'takes a record that refers to what is not there, without the reference',
    foundBy: ['refuses a record that refers to what is not there'],
    open: () =>
      altered({ verbs: ({ collection, records }) => ({ insert: insertUnchecked(collection, records, false) }) }),
  },
  {
    name: 'takes a record that refers to what another organization has, without the reference',
    foundBy: ['refuses a record that refers to what another organization has'],
    open: () =>
      altered({ verbs: ({ collection, records }) => ({ insert: insertUnchecked(collection, records, true) }) }),
  },
  {
    name: 'leaves references to what was deleted',
    foundBy: ['sets references to null when what they refer to is deleted'],
    open: () => {
      const left = new Map<string, string>();
      return altered({
        verbs: ({ name, collection, records }) => ({
          async delete(orgId, id, expected) {
            const referring =
              name === 'agents' ? await records.numbers.list(orgId, { limit: 99, where: { agent_id: id } }) : [];
            for (const number of referring) left.set(number.id, id);
            return await collection.delete(orgId, id, expected);
          },
          async get(orgId, id) {
            const record = await collection.get(orgId, id);
            const agent_id = left.get(id);
            return record === null || agent_id === undefined ? record : { ...record, agent_id };
          },
        }),
      });
    },
  },
  {
    name: 'leaves records that cannot be without what was deleted',
    foundBy: ['deletes records that cannot be without what is deleted, and no others'],
    open: () => {
      const left = new Map<string, AnyRecord>();
      return altered({
        verbs: ({ name, collection, records }) => ({
          async delete(orgId, id, expected) {
            const leads = anyCollection(records, 'leads');
            const going =
              name === 'campaigns' ? await leads.list(orgId, { limit: 99, where: { campaign_id: id } }) : [];
            for (const lead of going) left.set(lead.id, lead);
            return await collection.delete(orgId, id, expected);
          },
          async get(orgId, id) {
            return (await collection.get(orgId, id)) ?? left.get(id) ?? null;
          },
        }),
      });
    },
  },
  {
    name: 'plans migrations without being capable of any',
    foundBy: ['refuses to migrate where it does not declare that it can'],
    open: () => altered({ storage: () => ({ migrations: { plan: async () => [], apply: async () => [] } }) }),
  },
  {
    name: 'goes on after it was closed',
    foundBy: ['can be started twice and closed twice, and refuses to be used after that until it is started again'],
    open: () => altered({ storage: () => ({ close: async () => {} }) }),
  },
  {
    name: 'keeps in the sums what was added to a record that is gone',
    foundBy: ['does what the storage in memory does, through random sequences of verbs'],
    open: () => {
      const added = new Map<string, Record<string, unknown>>();
      const gone = new Map<string, Record<string, unknown>[]>();
      return altered({
        verbs: ({ collection }) => ({
          async increment(orgId, id, amounts, expected) {
            added.set(id, amounts);
            return await collection.increment(orgId, id, amounts, expected);
          },
          async delete(orgId, id, expected) {
            const isGone = await collection.delete(orgId, id, expected);
            const amounts = added.get(id);
            if (isGone && amounts !== undefined) gone.set(orgId, [...(gone.get(orgId) ?? []), amounts]);
            return isGone;
          },
          async sum(orgId, fields, filter) {
            const sums = await collection.sum(orgId, fields, filter);
            for (const amounts of gone.get(orgId) ?? []) {
              for (const field of fields) sums[field] = Number(sums[field]) + Number(amounts[field] ?? 0);
            }
            return sums;
          },
        }),
      });
    },
  },
  ...leaks(),
];

/** A verb each that does for an organization what only another one may do. */
function leaks(): Defect[] {
  const foundBy = {
    get: 'gets no record of another organization',
    list: 'lists no record of another organization',
    count: 'counts no record of another organization',
    sum: 'adds up no record of another organization',
    update: 'updates no record of another organization',
    updateMany: 'changes with updateMany no record of another organization',
    increment: 'adds to no record of another organization',
    delete: 'deletes no record of another organization',
  } as const;
  return Object.entries(foundBy).map(([verb, test]) => ({
    name: `has no regard to the organization in ${verb}`,
    foundBy: [test],
    open: () =>
      altered({
        verbs: (sound) => {
          const { collection, across } = sound;
          const owner = async (orgId: string, id: unknown): Promise<string> => (await ownerOf(sound, id)) ?? orgId;
          const leaking = {
            get: async (orgId, id) => await collection.get(await owner(orgId, id), id),
            list: async (orgId, query) => await collection.list(await owner(orgId, query.where?.id), query),
            count: async (orgId, filter) => await collection.count(await owner(orgId, filter?.where?.id), filter),
            update: async (orgId, id, ...rest) => await collection.update(await owner(orgId, id), id, ...rest),
            updateMany: async (orgId, filter, changes) =>
              await collection.updateMany(await owner(orgId, filter.where?.id), filter, changes),
            increment: async (orgId, id, ...rest) => await collection.increment(await owner(orgId, id), id, ...rest),
            delete: async (orgId, id, ...rest) => await collection.delete(await owner(orgId, id), id, ...rest),
            async sum(orgId, fields, filter) {
              const [field, ...others] = fields;
              if (field === undefined || others.length > 0 || filter !== undefined) {
                return await collection.sum(orgId, fields, filter);
              }
              const all = await across.find({}, 10_000);
              return { [field]: all.reduce((sum, { record }) => sum + Number(record[field]), 0) };
            },
          } satisfies Partial<typeof collection>;
          return { [verb]: leaking[verb as keyof typeof leaking] };
        },
      }),
  }));
}

function isViolationOf(error: unknown, constraint: string): boolean {
  return error instanceof UniqueViolation && error.constraint === constraint;
}

/** Inserts without the agent that is not there at all, or that another organization has. */
function insertUnchecked(
  collection: ReturnType<typeof anyCollection>,
  records: Records,
  isForeign: boolean,
): (orgId: string, record: AnyRecord) => Promise<void> {
  return async (orgId, record) => {
    try {
      await collection.insert(orgId, record);
    } catch (error) {
      if (!(error instanceof ReferenceViolation) || error.field !== 'agent_id') throw error;
      const found = await anyAcross(records, 'agents').find({ where: { id: record.agent_id } }, 1);
      if (found.length > 0 !== isForeign) throw error;
      await collection.insert(orgId, { ...record, agent_id: null });
    }
  };
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

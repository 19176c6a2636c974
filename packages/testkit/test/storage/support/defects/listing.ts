import type { AnyRecord } from '../../../../src/storage/any-records.ts';
import { altered } from '../altered.ts';
import type { Defect } from './defect.ts';

/** Defects of lists and filters. */
export const listingDefects: readonly Defect[] = [
  {
    name: 'lists records of the same moment in arbitrary order',
    foundBy: ['orders records of the same moment by their ids', 'pages by cursor through records of the same moment'],
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
      'pages by cursor without duplicates or gaps, while others are inserted and deleted',
      'pages by cursor through records of the same moment',
      'pages by cursor through the matches of a filter',
      'combines words with other conditions, alternatives, orders and positions',
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
    name: 'ignores alternatives (anyOf) in count',
    foundBy: [
      'counts exactly the matches of several alternatives, each record once',
      'combines words with other conditions, alternatives, orders and positions',
    ],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          count: (orgId, filter, ...rest) =>
            collection.count(orgId, filter?.where === undefined ? {} : { where: filter.where }, ...rest),
        }),
      }),
  },
  {
    name: 'does not match the last word of a search by its beginning',
    foundBy: [
      'filters by words of texts, the last one by its beginning',
      'finds frequent and rare words among many records, newest first, by pages',
    ],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          async list(orgId, query) {
            const found = await collection.list(orgId, query);
            const words: unknown = Reflect.get(Object(Reflect.get(Object(query.where), 'messages')), 'words');
            const last: unknown = Array.isArray(words) ? words.at(-1) : null;
            const pattern = new RegExp(`\\b${String(last)}\\b`, 'i');
            return last === null
              ? found
              : found.filter((each) => pattern.test(JSON.stringify(Reflect.get(each, 'messages'))));
          },
        }),
      }),
  },
  {
    name: 'returns a group for an organization without records',
    foundBy: ['sums records in groups, those with the most records first, over the records of the filter'],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          async sumGroups(orgId, query) {
            const groups = await collection.sumGroups(orgId, query);
            return groups.length === 0 ? [{ count: 1 }] : groups;
          },
        }),
      }),
  },
  {
    name: 'matches null in a range',
    foundBy: ['lists exactly the matches of a filter, by every field'],
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
];

import type { AnyRecord } from '../../../../src/storage/any-records.ts';
import { altered } from '../altered.ts';
import type { Defect } from './defect.ts';

/** Defects of lists and filters. */
export const listingDefects: readonly Defect[] = [
  {
    name: 'leaves the order of records of one moment to chance',
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
    foundBy: ['counts exactly the matches of several alternatives, each record once'],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          count: (orgId, filter) => collection.count(orgId, filter?.where === undefined ? {} : { where: filter.where }),
        }),
      }),
  },
  {
    name: 'finds nulls in ranges',
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

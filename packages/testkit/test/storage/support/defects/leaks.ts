import { altered, ownerOf } from '../altered.ts';
import type { Defect } from './defect.ts';

/** Defects of tenancy: in each of them, one verb reaches records of another organization. */
export function leaks(): Defect[] {
  const foundBy = {
    get: 'gets no record of another organization',
    lock: 'locks no record of another organization',
    list: 'lists no record of another organization',
    count: 'counts no record of another organization',
    sum: 'sums no record of another organization',
    update: 'updates no record of another organization',
    updateMany: 'changes no record of another organization with updateMany',
    increment: 'increments no record of another organization',
    delete: 'deletes no record of another organization',
  } as const;
  return Object.entries(foundBy).map(([verb, test]) => ({
    name: `ignores the organization in ${verb}`,
    foundBy: [test],
    open: () =>
      altered({
        verbs: (sound) => {
          const { collection, across } = sound;
          const owner = async (orgId: string, id: unknown): Promise<string> => (await ownerOf(sound, id)) ?? orgId;
          const leaking = {
            get: async (orgId, id) => await collection.get(await owner(orgId, id), id),
            lock: async (orgId, id, ...rest) => await collection.lock(await owner(orgId, id), id, ...rest),
            list: async (orgId, query) => await collection.list(await owner(orgId, query.where?.id), query),
            count: async (orgId, filter, ...rest) =>
              await collection.count(await owner(orgId, filter?.where?.id), filter, ...rest),
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

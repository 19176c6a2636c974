import { altered } from '../altered.ts';
import type { Defect } from './defect.ts';

/** Defects of migrations and close, and one that only many steps reveal. */
export const lifecycleDefects: readonly Defect[] = [
  {
    name: 'offers migrations without that capability',
    foundBy: ['rejects a migration without that capability'],
    open: () => altered({ storage: () => ({ migrations: { plan: async () => [], apply: async () => [] } }) }),
  },
  {
    name: 'continues to work after it was closed',
    foundBy: ['can be started twice and closed twice, and rejects its use after that until it is started again'],
    open: () => altered({ storage: () => ({ close: async () => {} }) }),
  },
  {
    name: 'includes increments of deleted records in sums',
    foundBy: ['matches the storage in memory through random sequences of verbs'],
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
];

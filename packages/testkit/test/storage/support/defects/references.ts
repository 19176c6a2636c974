import { type Records, ReferenceViolation } from '@va/core/adapter';
import { type AnyRecord, anyAcross, anyCollection } from '../../../../src/storage/any-records.ts';
import { altered } from '../altered.ts';
import type { Defect } from './defect.ts';

/** Defects of references. */
export const referenceDefects: readonly Defect[] = [
  {
    name: 'accepts a record with an unknown reference, which it sets to null',
    foundBy: ['rejects a record with an unknown reference'],
    open: () =>
      altered({ verbs: ({ collection, records }) => ({ insert: insertUnchecked(collection, records, false) }) }),
  },
  {
    name: 'accepts a record with a reference to another organization, which it sets to null',
    foundBy: ['rejects a record that refers to a record of another organization'],
    open: () =>
      altered({ verbs: ({ collection, records }) => ({ insert: insertUnchecked(collection, records, true) }) }),
  },
  {
    name: 'keeps references to a deleted record',
    foundBy: ['sets references to null when the referenced record is deleted'],
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
    name: 'keeps records that require a deleted record',
    foundBy: ['deletes records that require the deleted one, and no others'],
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
];

/** Inserts without the reference to an agent that does not exist, or belongs to another organization. */
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

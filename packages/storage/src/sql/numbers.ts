import type { PhoneNumberRecord, PhoneNumberRepository } from '@va/core';
import { columns } from './database.ts';
import type { Connection } from './repositories.ts';
import { fromRow, fromRowOrNull, toRow } from './rows.ts';
import { rethrow } from './violations.ts';

export function phoneNumberRepository(db: Connection): PhoneNumberRepository {
  return {
    async insert(orgId, number) {
      const row = { ...toRow<PhoneNumberRecord>(number), org_id: orgId };
      await db().insertInto('phone_numbers').values(row).execute().catch(rethrow);
    },

    async get(orgId, id) {
      const query = db()
        .selectFrom('phone_numbers')
        .select(columns.numbers)
        .where('org_id', '=', orgId)
        .where('id', '=', id);
      return fromRowOrNull<PhoneNumberRecord>(await query.executeTakeFirst());
    },

    async list(orgId, page) {
      const rows = await db()
        .selectFrom('phone_numbers')
        .select(columns.numbers)
        .where('org_id', '=', orgId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      return rows.map((row) => fromRow<PhoneNumberRecord>(row));
    },

    async update(orgId, id, changes) {
      const query = db()
        .updateTable('phone_numbers')
        .set({ ...toRow<typeof changes>(changes), org_id: orgId })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .returning(columns.numbers);
      return fromRowOrNull<PhoneNumberRecord>(await query.executeTakeFirst().catch(rethrow));
    },

    async delete(orgId, id) {
      const query = db().deleteFrom('phone_numbers').where('org_id', '=', orgId).where('id', '=', id);
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },

    async unassignAgent(orgId, agentId, updatedAt) {
      await db()
        .updateTable('phone_numbers')
        .set({ agent_id: null, updated_at: updatedAt })
        .where('org_id', '=', orgId)
        .where('agent_id', '=', agentId)
        .execute();
    },

    async findByNumber(number) {
      const query = db()
        .selectFrom('phone_numbers')
        .select([...columns.numbers, 'org_id'])
        .where('number', '=', number);
      const row = await query.executeTakeFirst();
      if (row === undefined) return null;
      const { org_id: orgId, ...rest } = row;
      return { orgId, number: fromRow<PhoneNumberRecord>(rest) };
    },
  };
}

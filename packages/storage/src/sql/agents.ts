import type { Agent, AgentRepository } from '@va/core';
import { columns } from './database.ts';
import type { Connection } from './repositories.ts';
import { fromRow, fromRowOrNull, toRow } from './rows.ts';
import { rethrow } from './violations.ts';

export function agentRepository(db: Connection): AgentRepository {
  return {
    async insert(orgId, agent) {
      const row = { ...toRow<Agent>(agent), org_id: orgId };
      await db().insertInto('agents').values(row).execute().catch(rethrow);
    },

    async get(orgId, id) {
      const query = db().selectFrom('agents').select(columns.agents).where('org_id', '=', orgId).where('id', '=', id);
      return fromRowOrNull<Agent>(await query.executeTakeFirst());
    },

    async list(orgId, page) {
      const rows = await db()
        .selectFrom('agents')
        .select(columns.agents)
        .where('org_id', '=', orgId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      return rows.map((row) => fromRow<Agent>(row));
    },

    async update(orgId, id, changes) {
      const query = db()
        .updateTable('agents')
        .set({ ...toRow<typeof changes>(changes), org_id: orgId })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .returning(columns.agents);
      return fromRowOrNull<Agent>(await query.executeTakeFirst());
    },

    async delete(orgId, id) {
      const query = db().deleteFrom('agents').where('org_id', '=', orgId).where('id', '=', id);
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}

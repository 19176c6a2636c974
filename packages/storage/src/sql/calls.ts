import type { Call, CallFilter, CallRepository } from '@va/core';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { columns, type Database } from './database.ts';
import type { Connection } from './repositories.ts';
import { fromRow, fromRowOrNull, toRow } from './rows.ts';
import { rethrow } from './violations.ts';

export function callRepository(db: Connection): CallRepository {
  return {
    async insert(orgId, call) {
      const row = { ...toRow<Call>(call), org_id: orgId };
      await db().insertInto('calls').values(row).execute().catch(rethrow);
    },

    async get(orgId, id) {
      const query = db().selectFrom('calls').select(columns.calls).where('org_id', '=', orgId).where('id', '=', id);
      return fromRowOrNull<Call>(await query.executeTakeFirst());
    },

    async list(orgId, filter, page) {
      const matching = db()
        .selectFrom('calls')
        .where('org_id', '=', orgId)
        .where((eb) => eb.and(conditions(eb, filter)));
      const count = matching.select((eb) => eb.fn.countAll().as('total'));
      const newest = matching
        .select(columns.calls)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit)
        .offset(page.offset);
      const { total } = await count.executeTakeFirstOrThrow();
      const rows = await newest.execute();
      return { calls: rows.map((row) => fromRow<Call>(row)), total: Number(total) };
    },

    async update(orgId, id, expected, changes) {
      if (expected.length === 0) return null;
      const query = db()
        .updateTable('calls')
        .set({ ...toRow<typeof changes>(changes), org_id: orgId })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .where('status', 'in', expected)
        .returning(columns.calls);
      return fromRowOrNull<Call>(await query.executeTakeFirst());
    },
  };
}

function conditions(eb: ExpressionBuilder<Database, 'calls'>, filter: CallFilter): Expression<SqlBool>[] {
  const { statuses, createdFrom, createdBefore, agentId, numberId, campaignId, direction, phone, endReason } = filter;
  const all: Expression<SqlBool>[] = [];
  if (statuses !== undefined) all.push(statuses.length > 0 ? eb('status', 'in', statuses) : eb.lit(false));
  if (createdFrom !== undefined) all.push(eb('created_at', '>=', new Date(createdFrom)));
  if (createdBefore !== undefined) all.push(eb('created_at', '<', new Date(createdBefore)));
  if (agentId !== undefined) all.push(eb('agent_id', '=', agentId));
  if (numberId !== undefined) all.push(eb('number_id', '=', numberId));
  if (campaignId !== undefined) all.push(eb('campaign_id', '=', campaignId));
  if (direction !== undefined) all.push(eb('direction', '=', direction));
  if (phone !== undefined) all.push(eb.or([eb('caller_phone', '=', phone), eb('assistant_phone', '=', phone)]));
  if (endReason !== undefined) all.push(eb('end_reason', '=', endReason));
  return all;
}

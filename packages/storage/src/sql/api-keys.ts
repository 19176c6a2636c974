import type { ApiKey, ApiKeyRepository } from '@va/core';
import { columns } from './database.ts';
import type { Connection } from './repositories.ts';
import { fromRow, fromRowOrNull, toRow } from './rows.ts';
import { rethrow } from './violations.ts';

export function apiKeyRepository(db: Connection): ApiKeyRepository {
  return {
    async insert(key) {
      await db().insertInto('api_keys').values(toRow<ApiKey>(key)).execute().catch(rethrow);
    },

    async findByHash(hash) {
      const query = db().selectFrom('api_keys').select(columns.apiKeys).where('hash', '=', hash);
      return fromRowOrNull<ApiKey>(await query.executeTakeFirst());
    },

    async list(orgId) {
      const rows = await db()
        .selectFrom('api_keys')
        .select(columns.apiKeys)
        .where('org_id', '=', orgId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map((row) => fromRow<ApiKey>(row));
    },
  };
}

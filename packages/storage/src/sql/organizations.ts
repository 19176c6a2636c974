import type { Organization, OrganizationRepository } from '@va/core';
import { columns } from './database.ts';
import type { Connection } from './repositories.ts';
import { fromRow, fromRowOrNull, toRow } from './rows.ts';
import { rethrow } from './violations.ts';

export function organizationRepository(db: Connection): OrganizationRepository {
  return {
    async insert(organization) {
      await db().insertInto('organizations').values(toRow<Organization>(organization)).execute().catch(rethrow);
    },

    async get(orgId) {
      const query = db().selectFrom('organizations').select(columns.organizations).where('id', '=', orgId);
      return fromRowOrNull<Organization>(await query.executeTakeFirst());
    },

    async list() {
      const rows = await db().selectFrom('organizations').select(columns.organizations).execute();
      return rows.map((row) => fromRow<Organization>(row));
    },
  };
}

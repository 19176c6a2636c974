import type { Expression, SqlBool } from 'kysely';
import { expressions as eb } from './database.ts';
import { slot } from './statements.ts';

/** Returns the condition that a row belongs to the organization of the input. */
export function ofOrganization({ owner }: { readonly owner: 'id' | 'org_id' }): Expression<SqlBool> {
  return eb(
    owner,
    '=',
    slot<{ readonly orgId: string }, string>(({ orgId }) => orgId),
  );
}

import { doNotCallSchema, newDoNotCallSchema, paginationSchema } from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema, pageQuery } from '../route/shared-schemas.ts';

const entry = component('DoNotCallEntry', doNotCallSchema);

export const doNotCall = {
  list: defineRoute({
    method: 'GET',
    path: '/do-not-call',
    scope: 'campaigns:read',
    summary: 'List the numbers that campaigns must not call',
    description: 'Newest first.',
    query: pageQuery(
      { defaultLimit: 100, maxLimit: 1_000 },
      { phone_number: z.string().max(100).optional().describe('Filters by number.') },
    ),
    result: z.object({ do_not_call: z.array(entry), pagination: paginationSchema }),
    errors: { 400: ['invalid_phone_number'] },
    run: ({ operations, orgId, query }) => operations.doNotCall.list(orgId, query),
  }),
  add: defineRoute({
    method: 'POST',
    path: '/do-not-call',
    scope: 'campaigns:write',
    summary: 'Add a number that campaigns must not call',
    description: 'A number that is already on the list stays unchanged. Calls placed individually are not affected.',
    body: component('NewDoNotCallEntry', newDoNotCallSchema),
    status: 201,
    result: entry,
    wrap: 'entry',
    location: () => '/do-not-call',
    errors: { 400: ['invalid_phone_number'] },
    run: ({ operations, orgId, body }) => operations.doNotCall.add(orgId, body),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/do-not-call/:id',
    scope: 'campaigns:write',
    summary: 'Remove a number from the do-not-call list',
    result: deletedSchema,
    errors: { 404: ['do_not_call_not_found'] },
    run: ({ operations, orgId, params }) => operations.doNotCall.delete(orgId, params.id).then(deleted),
  }),
};

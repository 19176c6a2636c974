import { ReadableStream as NodeStream } from 'node:stream/web';
import {
  bulkLeadsSchema,
  bulkResultSchema,
  duplicatePolicies,
  leadSchema,
  leadStatuses,
  newLeadSchema,
  paginationSchema,
} from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRawRoute, defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema, pageQuery } from '../route/shared-schemas.ts';

const lead = component('Lead', leadSchema);
const newLead = component('NewLead', newLeadSchema);
const bulkResult = component('BulkResult', bulkResultSchema);

/** The operation validates each lead separately, so that an invalid one does not stop the others. */
const bulkLeads = component('BulkLeads', bulkLeadsSchema.extend({ leads: z.array(newLead).min(1).max(1_000) }));

const importQuery = z.strictObject({
  dry_run: z.enum(['true', 'false']).optional().describe('Validates and counts without storing anything.'),
  on_duplicate: z.enum(duplicatePolicies).optional().describe('`skip` by default.'),
});

const editable = { 404: ['campaign_not_found'], 409: ['campaign_not_editable'] };

export const leads = {
  list: defineRoute({
    method: 'GET',
    path: '/campaigns/:id/leads',
    scope: 'campaigns:read',
    summary: 'List the leads of a campaign',
    description: 'Oldest first.',
    query: pageQuery({ defaultLimit: 100, maxLimit: 1_000 }, { status: z.enum(leadStatuses).optional() }),
    result: z.object({ leads: z.array(lead), pagination: paginationSchema }),
    errors: { 404: ['campaign_not_found'] },
    run: ({ operations, orgId, params, query }) => operations.leads.list(orgId, params.id, query),
  }),
  add: defineRoute({
    method: 'POST',
    path: '/campaigns/:id/leads',
    scope: 'campaigns:write',
    summary: 'Add a lead to a campaign',
    body: newLead,
    status: 201,
    result: lead,
    wrap: 'lead',
    location: ({ campaign_id }) => `/campaigns/${campaign_id}/leads`,
    errors: { 400: ['invalid_phone_number'], ...editable, 409: ['duplicate_lead', 'campaign_not_editable'] },
    run: ({ operations, orgId, params, body }) => operations.leads.add(orgId, params.id, body),
  }),
  addMany: defineRoute({
    method: 'POST',
    path: '/campaigns/:id/leads/bulk',
    scope: 'campaigns:write',
    summary: 'Add up to 1,000 leads to a campaign',
    description: 'Invalid leads are listed among the errors of the response and do not stop the others.',
    body: bulkLeads,
    result: bulkResult,
    errors: editable,
    run: ({ operations, orgId, params, body }) => operations.leads.addMany(orgId, params.id, body),
  }),
  import: defineRoute({
    method: 'POST',
    path: '/campaigns/:id/leads/import',
    scope: 'campaigns:write',
    summary: 'Add the leads of a CSV file to a campaign',
    description:
      'CSV in UTF-8 (RFC 4180) with at most 10,000 rows below a header with `phone_number`; every other column ' +
      'is a variable, and `name` is also the name of the lead.',
    query: importQuery,
    body: { kinds: ['text/csv', 'multipart/form-data'], maxBytes: 10_485_760 },
    result: bulkResult,
    errors: { 400: ['invalid_csv'], ...editable },
    run: ({ operations, orgId, params, file, query }) => operations.leads.importCsv(orgId, params.id, file, query),
  }),
  export: defineRawRoute({
    method: 'GET',
    path: '/campaigns/:id/leads/export',
    scope: 'campaigns:read',
    summary: 'Export the leads of a campaign',
    description:
      'The outcome of each lead as CSV (RFC 4180, UTF-8 with a byte-order mark), oldest first: `phone_number`, ' +
      '`name`, `status`, `attempts`, `last_end_reason`, `status_reason`, and of its last call `call_id`, ' +
      '`duration_seconds` and `summary`; then a column per variable. Values that a spreadsheet would evaluate as ' +
      'formulas are prefixed with an apostrophe.',
    content: [{ status: 200, description: 'The CSV file.', mediaType: 'text/csv; charset=utf-8' }],
    errors: { 404: ['campaign_not_found'], 422: ['too_many_variables'] },
    async run({ operations, orgId, params, request }) {
      const csv = await operations.leads.exportCsv(orgId, params.id);
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="campaign-${params.id.toLowerCase()}.csv"`,
        'cache-control': 'no-store',
      };
      return { status: 200, headers, body: request.method === 'HEAD' ? null : streamOf(csv) };
    },
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/campaigns/:id/leads/:lead_id',
    scope: 'campaigns:write',
    summary: 'Remove a lead from a campaign',
    result: deletedSchema,
    errors: { 404: ['campaign_not_found', 'lead_not_found'], 409: ['lead_in_progress'] },
    run: ({ operations, orgId, params }) => operations.leads.remove(orgId, params.id, params.lead_id).then(deleted),
  }),
};

/**
 * Converts chunks to a stream by Node's `ReadableStream`: the global one has no `from` in the types of browsers, which
 * programs for both Node and browsers use.
 */
function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return NodeStream.from(chunks) as ReadableStream<Uint8Array>;
}

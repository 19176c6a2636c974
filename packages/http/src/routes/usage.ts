import { paginationSchema, usageLogSchema, usageSummarySchema } from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { dateRange, pageQuery } from '../route/shared-schemas.ts';

const log = component('UsageLog', usageLogSchema);
const summary = component('UsageSummary', usageSummarySchema);

export const usage = {
  list: defineRoute({
    method: 'GET',
    path: '/usage',
    scope: 'usage:read',
    summary: 'List the usage of calls',
    description: 'One record per answered call, newest first. The summary covers the whole filter.',
    query: pageQuery(
      { defaultLimit: 100, maxLimit: 1_000 },
      { ...dateRange, agent_id: z.uuid().optional(), publishable_key_id: z.uuid().optional() },
    ),
    result: z.object({ logs: z.array(log), pagination: paginationSchema, summary }),
    run: ({ operations, orgId, query }) => operations.usage.list(orgId, query),
  }),
};

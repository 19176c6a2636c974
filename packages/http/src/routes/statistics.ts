import { callStatisticsSchema, statisticsGroups } from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { dateRange } from '../route/shared-schemas.ts';

const statisticsQuery = z.strictObject({
  group_by: z.enum(statisticsGroups).default('day'),
  ...dateRange,
  agent_id: z.uuid().optional(),
  campaign_id: z.uuid().optional(),
});

export const statistics = {
  get: defineRoute({
    method: 'GET',
    path: '/stats',
    scope: 'usage:read',
    summary: 'Get statistics of calls',
    description:
      'Statistics of the ended calls, in groups and in total: by default of the last 30 days, by day. A period ' +
      'has at most 366 days, and a response at most 1,000 groups: those with the most calls.',
    query: statisticsQuery,
    result: component('CallStatistics', callStatisticsSchema),
    run: ({ operations, orgId, query }) => operations.statistics.get(orgId, query),
  }),
};

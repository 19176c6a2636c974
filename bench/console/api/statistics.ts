import { statisticsGroups } from '../../../packages/core/src/domain/calls/call-statistics.ts';
import type { Seeded } from '../seed/seed.ts';
import type { Requests } from './api-client.ts';

const perKind = 20;
const days = 30;
const dayMs = 86_400_000;

/** Returns the statistics of 30 days in each grouping, as the console asks for them. */
export function statistics({ agentIds, campaignIds }: Seeded): Requests {
  const startOf = (at: number): string => new Date(Date.now() - (days + at) * dayMs).toISOString();
  const period = (at: number): string => `&start_date=${startOf(at)}&end_date=${startOf(at - days)}`;
  const kinds: Record<string, (at: number) => string> = {};
  for (const group of statisticsGroups) kinds[`by ${group}`] = (at) => `?group_by=${group}${period(at)}`;
  const [agentId] = agentIds;
  const [campaignId] = campaignIds;
  kinds['by day, one agent'] = (at) => `?group_by=day&agent_id=${agentId}${period(at)}`;
  kinds['by day, one campaign'] = (at) => `?group_by=day&campaign_id=${campaignId}${period(at)}`;
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, make]) => [
      kind,
      Array.from({ length: perKind }, (_, at) => `/stats${make(at)}`),
    ]),
  );
}

import type { UsageSummary } from '@va/client';
import { type ConsoleSession, can } from '../../session/session.ts';
import type { Period } from './period.ts';
import type { Statistics, UsageGroup } from './statistics.ts';

export interface UsageReport {
  readonly byDay: Statistics;
  readonly byGroup: Statistics;
  readonly summary: UsageSummary;
  /** Names of agents or campaigns by id; empty if the scopes do not permit reading them. */
  readonly names: ReadonlyMap<string, string>;
}

export async function loadUsage(
  session: ConsoleSession,
  period: Period,
  group: UsageGroup,
  signal: AbortSignal,
): Promise<UsageReport> {
  const { client } = session;
  const range = { start_date: period.from, end_date: period.to };
  const [byDay, byGroup, { summary }, names] = await Promise.all([
    client.statistics.get({ ...range, group_by: 'day' }, { signal }),
    group === 'day' ? null : client.statistics.get({ ...range, group_by: group }, { signal }),
    client.usage.list({ ...range, limit: 1 }, { signal }),
    namesOf(session, group, signal),
  ]);
  return { byDay, byGroup: byGroup ?? byDay, summary, names };
}

async function namesOf(
  { client, scopes }: ConsoleSession,
  group: UsageGroup,
  signal: AbortSignal,
): Promise<UsageReport['names']> {
  const all = { limit: 1_000 };
  if (group === 'agent' && can(scopes, 'agents:read')) return named(await client.agents.list(all, { signal }));
  if (group === 'campaign' && can(scopes, 'campaigns:read')) return named(await client.campaigns.list(all, { signal }));
  return new Map();
}

function named(records: readonly { readonly id: string; readonly name: string }[]): UsageReport['names'] {
  return new Map(records.map(({ id, name }) => [id, name]));
}

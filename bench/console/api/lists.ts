import { Random } from '../seed/random.ts';
import { type Seeded, seededDays } from '../seed/seed.ts';
import type { Requests } from './api-client.ts';

const perKind = 20;
const dayMs = 86_400_000;

/** Returns pages of the list of calls as the console loads them: the first one, deep ones, and those of each filter. */
export function lists({ calls, agentIds, numberIds, campaignIds }: Seeded): Requests {
  const random = new Random(13);
  const one = (ids: readonly string[]): string => ids[random.integer(0, ids.length - 1)] ?? '';
  const days = (count: number): string => {
    const endMs = Date.now() - random.integer(0, seededDays - count) * dayMs - random.integer(0, dayMs);
    return `&start_date=${new Date(endMs - count * dayMs).toISOString()}&end_date=${new Date(endMs).toISOString()}`;
  };
  const deep = (share: number): string => `&offset=${random.integer(0, Math.floor(calls * share))}`;
  const until = `&end_date=${new Date().toISOString()}`;
  const kinds: Readonly<Record<string, () => string>> = {
    'first page': () => '',
    'any page': () => `${until}${deep(1)}`,
    'last page': () => `${until}&offset=${calls - 50}`,
    status: () => '&status=failed',
    'status, any page': () => `&status=failed${deep(0.1)}`,
    'two statuses': () => '&status=ended,failed',
    agent: () => `&agent_id=${one(agentIds)}`,
    'agent, any page': () => `&agent_id=${agentIds[0]}${until}${deep(0.25)}`,
    number: () => `&number_id=${one(numberIds)}`,
    campaign: () => `&campaign_id=${one(campaignIds)}`,
    direction: () => `&direction=${['inbound', 'outbound', 'web'][random.integer(0, 2)]}`,
    'direction, any page': () => `&direction=inbound${deep(0.4)}`,
    'end reason': () => `&end_reason=${['user_hangup', 'busy', 'llm_error', 'worker_lost'][random.integer(0, 3)]}`,
    'phone number': () => `&phone=%2B316${String(random.integer(0, 299_999)).padStart(8, '0')}`,
    'phone number of the organization': () => `&phone=%2B31205550${String(random.integer(0, 7)).padStart(3, '0')}`,
    'a week': () => days(7),
    'a week, any page': () => `${days(7)}${deep(6 / seededDays)}`,
    'agent, status, a month': () => `&agent_id=${one(agentIds)}&status=failed${days(30)}`,
    'agent and end reason': () => `&agent_id=${one(agentIds)}&end_reason=silence_timeout`,
    'campaign, end reason, direction': () => `&campaign_id=${one(campaignIds)}&end_reason=declined&direction=outbound`,
    'agent without such a status': () => `&agent_id=${one(agentIds)}&end_reason=worker_lost`,
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, make]) => [
      kind,
      Array.from({ length: perKind }, () => `/calls?limit=50${make()}`),
    ]),
  );
}

import type { LeadStatus } from '@va/core';
import type { ConsoleService } from '../support/console-service.ts';
import { pick, seededRandom } from './random.ts';

const names = ['A. Bakker', 'R. de Vries', 'S. Visser', 'J. Smit', 'M. Meijer', 'T. de Boer', 'L. Mulder', 'F. Bos'];
const leadCount = 420;
/** Statuses of the newest leads, which the first page shows. */
const outcomes: readonly (readonly [{ readonly status: LeadStatus; readonly end: string | null }, number])[] = [
  [{ status: 'completed', end: 'user_hangup' }, 50],
  [{ status: 'completed', end: 'agent_hangup' }, 24],
  [{ status: 'failed', end: 'no_answer' }, 9],
  [{ status: 'failed', end: 'voicemail' }, 7],
  [{ status: 'pending', end: 'busy' }, 8],
];

/** Creates a campaign in progress, one that waits and one that is over; returns the id of the first. */
export async function addCampaigns(service: ConsoleService, agentId: string, nowMs: number): Promise<string> {
  const { orgId, storage } = service;
  const { campaigns, leads } = service.va.operations;
  const create = async (name: string): Promise<string> => {
    const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'Europe/Amsterdam' };
    return (await campaigns.create(orgId, { ...{ name, agent_id: agentId, max_concurrent_calls: 4 }, ...hours })).id;
  };
  const over = await create('New patients, January');
  const draft = await create('Whitening offer');
  const recall = await create('Checkup recall, March');
  await leads.addMany(orgId, recall, {
    leads: Array.from({ length: leadCount }, (_, at) => ({
      phone_number: `+316120${String(10_000 + at)}`,
      name: names[at % names.length] ?? null,
      variables: { last_visit: '2025-09' },
    })),
  });
  const random = seededRandom(11);
  const { leads: stored } = await leads.list(orgId, recall, { limit: 50 });
  for (const [at, { id }] of stored.entries()) {
    const { status, end } = at < 3 ? { status: 'calling' as const, end: null } : pick(random, outcomes);
    const last_attempt_at = new Date(nowMs - (at + 1) * 47_000).toISOString();
    const next_attempt_at = status === 'pending' ? new Date(nowMs + 3_600_000).toISOString() : null;
    const attempts = status === 'failed' ? 3 : 1;
    await storage.leads.update(orgId, id, { status, last_end_reason: end, attempts, last_attempt_at, next_attempt_at });
  }
  const idle = { next_pass_at: null, updated_at: new Date(nowMs).toISOString() };
  await storage.campaigns.update(orgId, recall, {
    ...{
      ...idle,
      status: 'running',
      total_leads: leadCount,
      pending_leads: 133,
      calling_leads: 3,
      completed_leads: 231,
    },
    ...{ failed_leads: 45, skipped_leads: 8, total_calls: 347, answered_calls: 262, talk_seconds: 24_900 },
  });
  await storage.campaigns.update(orgId, over, {
    ...{ ...idle, status: 'completed', total_leads: 180, pending_leads: 0, completed_leads: 149, failed_leads: 28 },
    ...{ skipped_leads: 3, total_calls: 231, answered_calls: 166, talk_seconds: 14_300 },
  });
  await leads.addMany(orgId, draft, { leads: [{ phone_number: '+31612999001' }] });
  return recall;
}

import { timestamp } from '../clock/timestamp.ts';
import type { Call } from '../domain/call.ts';
import type { Owned } from '../ports/storage/verbs.ts';
import { assistantOf } from './assistant.ts';
import type { CallDependencies } from './call-dependencies.ts';
import { costOf, storeEndedCall } from './call-end.ts';
import { CallWebhooks } from './call-webhooks.ts';

/** No call lasts longer, with the time it may wait and ring. */
const longestCallMs = 13 * 3_600_000;

const batchSize = 1_000;

type Dependencies = Pick<
  CallDependencies,
  'storage' | 'jobs' | 'webhooks' | 'clock' | 'random' | 'logger' | 'pricing' | 'emit' | 'afterCall'
>;

/**
 * Ends the calls that the records have going on and that nobody runs: their process died, or could not store their end. Where the
 * storage is this process's alone, that is every one that is not live here; where others share it, those that are older than any call can be.
 * Younger ones than `graceMs` are let be: their process may be about to run them.
 */
export async function endLostCalls(
  deps: Dependencies,
  { isLive, graceMs }: { readonly isLive: (callId: string) => boolean; readonly graceMs: number },
): Promise<void> {
  const { storage, clock, logger } = deps;
  const ageMs = storage.capabilities.shared ? longestCallMs : graceMs;
  const where = {
    status: { in: ['queued', 'connecting', 'in-progress'] as const },
    created_at: { lt: new Date(clock.wallMs() - ageMs).toISOString() },
  };
  const found = await storage.across.calls.find({ where }, batchSize);
  const lost = found.filter(({ record }) => !isLive(record.id));
  if (lost.length > 0) logger.warn({ calls: lost.length }, 'calls of a process that died are ended');
  for (const each of lost) await endLostCall(deps, each);
}

async function endLostCall(deps: Dependencies, { orgId, record }: Owned<Call>): Promise<void> {
  const { storage, clock, pricing, emit } = deps;
  const [organization, agent, number, lastEvents] = await Promise.all([
    storage.organizations.get(orgId, orgId),
    record.agent_id === null ? null : storage.agents.get(orgId, record.agent_id),
    record.number_id === null ? null : storage.numbers.get(orgId, record.number_id),
    storage.callEvents.list(orgId, { where: { call_id: record.id }, order: 'newest', limit: 1 }),
  ]);
  const now = timestamp(clock);
  const ended: Call = {
    ...record,
    status: 'failed',
    end_reason: 'worker_lost',
    error: 'The process that ran the call is gone.',
    ended_at: now,
    duration_seconds: secondsUntil(record, lastEvents[0]?.created_at),
    updated_at: now,
  };
  const priced = { ...ended, cost: costOf(ended, pricing) };
  const webhooks =
    organization === null
      ? silent
      : new CallWebhooks({
          dispatcher: deps.webhooks,
          organization,
          agent,
          numberName: number?.name ?? null,
          clock,
          logger: deps.logger.child({ callId: record.id }),
        });
  const assistant = agent === null ? null : assistantOf(agent);
  const following = deps.afterCall.follow({ orgId, call: priced, assistant, report: webhooks.reportPlan() });
  const isStored = await storeEndedCall(deps, orgId, following.call, webhooks, following);
  if (!isStored) return;
  following.begin();
  emit('call.ended', { orgId, call: following.call });
}

/** For an organization that is gone. */
const silent: Pick<CallWebhooks, 'ended' | 'reportPlan'> = {
  ended: async (_call, store) => void (await store([], null)),
  reportPlan: () => null,
};

/** Nobody saw the call end: what is paid for is what is known to have been. */
function secondsUntil({ answered_at: answeredAt }: Call, lastSeen: string | undefined): number {
  if (answeredAt === null || lastSeen === undefined) return 0;
  return Math.max(0, Math.round((Date.parse(lastSeen) - Date.parse(answeredAt)) / 1_000));
}

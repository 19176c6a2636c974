import { timestamp } from '../../clock/timestamp.ts';
import { costFields } from '../../costs/cost-breakdown.ts';
import { minutesItems } from '../../costs/pricing.ts';
import { type Call, type CallRecord, shownCall } from '../../domain/calls/call.ts';
import { toError, VaError } from '../../errors.ts';
import type { Owned } from '../../ports/storage/collection.ts';
import type { WebhookDispatcher } from '../../ports/webhooks.ts';
import { assistantOf } from '../assistant.ts';
import type { ProviderRegistry } from '../session/provider-registry.ts';
import { CallWebhooks } from '../webhooks/call-webhooks.ts';
import { type EndWebhooks, noWebhooks, storeEndedCall } from './call-end.ts';
import type { CallRecorderDependencies } from './call-recorder.ts';
import { messagesOfEvents } from './event-messages.ts';

/** Maximum duration of a call, including queueing and ringing. */
const longestCallMs = 13 * 3_600_000;

/** Minimum age of a call whose node is unknown here, because its registration may not be visible yet. */
const beginningMs = 60_000;

const batchSize = 1_000;

export interface LostCallsDependencies extends CallRecorderDependencies {
  readonly webhooks: WebhookDispatcher;
  readonly registry: ProviderRegistry;
}

const live = { in: ['queued', 'connecting', 'in-progress'] as const };

/** Calls ended concurrently. */
const parallel = 20;

/**
 * Ends live call records that no process runs, because it died or could not store their end. With storage private to
 * this process, these are all calls that are not live here; with shared storage, those of unknown nodes and those older
 * than any call can be. Calls younger than `graceMs` are skipped: their process may be about to run them.
 */
export async function endLostCalls(
  deps: LostCallsDependencies,
  { isLive, graceMs }: { readonly isLive: (callId: string) => boolean; readonly graceMs: number },
): Promise<void> {
  const { storage, clock } = deps;
  const { cluster, capabilities } = storage;
  const before = (ageMs: number): { lt: string } => ({ lt: new Date(clock.wallMs() - ageMs).toISOString() });
  const isAlone = !capabilities.shared;
  const ageMs = isAlone ? graceMs : cluster === undefined ? longestCallMs : Math.max(graceMs, beginningMs);
  const nodes = new Set((await cluster?.nodes())?.map(({ id }) => id));
  const found = await storage.across.calls.find({ where: { status: live, created_at: before(ageMs) } }, batchSize);
  const tooOld = before(longestCallMs).lt;
  const hasNobody = ({ created_at, node_id }: CallRecord): boolean =>
    isAlone || created_at < tooOld || (node_id !== null && !nodes.has(node_id));
  await endAll(
    deps,
    found.filter(({ record }) => !isLive(record.id) && hasNobody(record)),
  );
}

/** Ends the calls of dead processes. Rejects if some could not be ended. */
export async function endCallsOfNodes(deps: LostCallsDependencies, nodeIds: readonly string[]): Promise<void> {
  const where = { status: live, node_id: { in: nodeIds } };
  let before = '';
  for (;;) {
    const found = await deps.storage.across.calls.find({ where }, batchSize);
    if (found.length === 0) return;
    const ids = found.map(({ record }) => record.id).join();
    if (ids === before) throw new VaError('unavailable', 'Calls of nodes that died could not be ended.');
    before = ids;
    await endAll(deps, found);
  }
}

async function endAll(deps: LostCallsDependencies, calls: readonly Owned<CallRecord>[]): Promise<void> {
  if (calls.length === 0) return;
  deps.logger.warn({ calls: calls.length }, 'ending calls of a dead process');
  const waiting = [...calls];
  const endNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await endLostCall(deps, next);
  };
  await Promise.all(Array.from({ length: parallel }, endNext));
}

async function endLostCall(deps: LostCallsDependencies, { orgId, record }: Owned<CallRecord>): Promise<void> {
  const { storage, clock, pricing, emit } = deps;
  const [organization, agent, number, lastEvents, messages, hasRecording] = await Promise.all([
    storage.organizations.get(orgId, orgId),
    record.agent_id === null ? null : storage.agents.get(orgId, record.agent_id),
    record.number_id === null ? null : storage.numbers.get(orgId, record.number_id),
    storage.callEvents.list(orgId, { where: { call_id: record.id }, order: 'newest', limit: 1 }),
    messagesOfEvents(storage, orgId, record.id),
    finishRecording(deps, orgId, record.id),
  ]);
  const now = timestamp(clock);
  const ended: Call = {
    ...shownCall(record),
    status: 'failed',
    end_reason: 'worker_lost',
    error: 'The node running the call died.',
    messages,
    recording_url: hasRecording ? deps.recordingUrl(record.id) : null,
    ended_at: now,
    duration_seconds: secondsUntil(record, lastEvents[0]?.created_at),
    updated_at: now,
  };
  // Usage of providers that the dead process had counted is lost.
  const priced = { ...ended, ...costFields(minutesItems(ended, pricing)) };
  const webhooks =
    organization === null
      ? silent
      : new CallWebhooks({
          dispatcher: deps.webhooks,
          organization,
          agent,
          numberName: number?.name ?? null,
          isRealtime: (provider) => deps.registry.isRealtime(provider),
          clock,
          logger: deps.logger.child({ callId: record.id }),
        });
  const assistant = agent === null ? null : assistantOf(agent);
  const plan = deps.afterCall.plan({ orgId, call: priced, assistant, report: webhooks.reportPlan(priced) });
  const isStored = await storeEndedCall(deps, orgId, plan.call, webhooks, plan);
  if (!isStored) return;
  plan.begin();
  emit('call.ended', { orgId, call: plan.call });
  deps.campaignPublisher.callEnded(orgId, plan.call);
}

/**
 * Completes a partial recording. Returns false if there is none, or if the store fails: the record then has no link.
 */
async function finishRecording(
  { recordings, logger }: LostCallsDependencies,
  orgId: string,
  callId: string,
): Promise<boolean> {
  try {
    if (recordings.finish !== undefined) return await recordings.finish(orgId, callId);
    return (await recordings.open(orgId, callId)) !== null;
  } catch (thrown) {
    logger.error({ err: toError(thrown), callId }, 'failed to complete the recording of a lost call');
    return false;
  }
}

/** Webhooks of a deleted organization: none. */
const silent: EndWebhooks & Pick<CallWebhooks, 'reportPlan'> = {
  ...noWebhooks,
  reportPlan: () => null,
};

/**
 * Returns the seconds from the answer to the last stored event, or 0. The actual end is unknown, so later time is not
 * charged.
 */
function secondsUntil({ answered_at: answeredAt }: Call, lastSeen: string | undefined): number {
  if (answeredAt === null || lastSeen === undefined) return 0;
  return Math.max(0, Math.round((Date.parse(lastSeen) - Date.parse(answeredAt)) / 1_000));
}

import { requireComplete } from '../../calls/origin/agent-completeness.ts';
import type { CampaignPublisher } from '../../campaigns/status/campaign-publisher.ts';
import { cancelled } from '../../campaigns/status/campaign-status.ts';
import { timestamp } from '../../clock/timestamp.ts';
import {
  type Campaign,
  type CampaignChanges,
  type CampaignProgress,
  type CampaignRecord,
  campaignTransitions,
  createCampaignSchema,
  type NewCampaign,
  toCampaign,
  updateCampaignSchema,
} from '../../domain/campaigns/campaign.ts';
import { RequestError } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { type PageQuery, parsePage } from '../../input/page-query.ts';
import { invalidInput, parseInput } from '../../input/parse-input.ts';
import { rethrowReference } from '../../input/references.ts';
import { checkId, notFound, requireFound } from '../../input/require-found.ts';
import { skipPending, withoutPending } from '../../leads/skip-pending.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { RecordDependencies } from '../dependencies.ts';
import { watchCampaign } from './campaign-progress.ts';

/** Every method throws a `RequestError` for invalid requests: 400 for the input, 404 `campaign_not_found`. */
export interface CampaignOperations {
  /** Input: `createCampaignSchema`. Creates a draft. */
  create(orgId: string, input: NewCampaign): Promise<Campaign>;
  get(orgId: string, id: string): Promise<Campaign>;
  /** Newest first. Query: `limit` (1–1000, default 1000), `offset`. */
  list(orgId: string, query?: PageQuery): Promise<Campaign[]>;
  /**
   * Input: `updateCampaignSchema`. Changes the given keys only. `status` starts, pauses or cancels the campaign: 409
   * `campaign_invalid_transition` if its state does not allow that, 409 `agent_inactive` for a start without an active
   * agent, 422 `agent_incomplete` if the agent cannot hold a conversation. Other fields can be changed only while it is
   * a draft, scheduled or paused: 409 `campaign_not_editable`.
   */
  update(orgId: string, id: string, input: CampaignChanges): Promise<Campaign>;
  /** Deletes the campaign and its leads. 409 `campaign_not_editable` while scheduled or running. */
  delete(orgId: string, id: string): Promise<void>;
  /**
   * Calls `wake` whenever this process has changed the campaign or one of its leads. Returns a function that removes
   * the callback. Does not report changes by other processes: poll the record for them.
   */
  onChanged(id: string, wake: () => void): () => void;
  /**
   * Resolves to the progress of a campaign now and after each change by any process, at most once a second, until the
   * campaign is completed, deleted, or cancelled and its last call has ended. Rejects if the campaign does not exist.
   */
  events(
    orgId: string,
    id: string,
    options: { readonly signal: AbortSignal },
  ): Promise<AsyncIterable<CampaignProgress>>;
}

const campaignDefaults = {
  number_id: null,
  status: 'draft',
  status_reason: null,
  system_message_template: null,
  schedule_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  start_date: null,
  end_date: null,
  max_concurrent_calls: 5,
  calls_per_minute: null,
  max_attempts: 3,
  retry_delay_seconds: 3_600,
  retry_on: ['no_answer', 'busy', 'failed'],
  total_leads: 0,
  pending_leads: 0,
  calling_leads: 0,
  completed_leads: 0,
  failed_leads: 0,
  skipped_leads: 0,
  total_calls: 0,
  answered_calls: 0,
  talk_seconds: 0,
  next_pass_at: null,
  paced_until_ms: null,
  dial_failures: 0,
  slowed_until_ms: null,
} satisfies Partial<CampaignRecord>;

/** Maximum attempts of a change that loses against concurrent ones. */
const maxTries = 5;

/** Creates the operations on campaigns; `createOperations` creates all groups. */
export function createCampaignOperations(
  deps: RecordDependencies & {
    readonly campaignPublisher: CampaignPublisher;
    readonly providers?: readonly Provider[] | undefined;
  },
): CampaignOperations {
  const { storage, clock, random, campaignPublisher, providers } = deps;

  /** Returns null if a concurrent request changed the status. */
  async function change(orgId: string, id: string, input: CampaignChanges): Promise<Campaign | null> {
    const { status, ...edits } = omitUndefined(parseInput(updateCampaignSchema, input));
    const before = requireFound(await storage.campaigns.get(orgId, id), 'campaign', id);
    const now = timestamp(clock);
    checkSchedule({ ...before, ...edits });
    if (Object.keys(edits).length > 0) checkEditable(before);
    if (status !== undefined) checkTransition(before, status);
    const changes = {
      ...edits,
      ...(status === undefined ? {} : { status, status_reason: null }),
      // A restart clears the back-off: the trunk may have been repaired.
      ...(status === 'scheduled' ? { dial_failures: 0, slowed_until_ms: null } : {}),
      // Due now, in case the calling hours were changed too.
      next_pass_at: now,
      updated_at: now,
    };
    const after: CampaignRecord = { ...before, ...changes };
    if (status === 'scheduled') await checkAgent(storage, orgId, after, providers);
    const shown = status === undefined ? [] : [status === 'cancelled' ? withoutPending(after) : after];
    const changed = await campaignPublisher
      .store(orgId, shown, async (tx) => {
        const stored = await tx.campaigns.update(orgId, id, changes, { status: before.status });
        if (stored === null || status !== 'cancelled') return stored;
        return await skipPending(tx, orgId, stored, cancelled, now);
      })
      .catch((error: unknown) => rethrowReference(error, edits));
    return changed === null ? null : toCampaign(changed);
  }

  return {
    async create(orgId, input) {
      const written = omitUndefined(parseInput(createCampaignSchema, input));
      checkSchedule({ start_date: null, end_date: null, ...written });
      const now = timestamp(clock);
      const campaign: CampaignRecord = {
        id: uuidv7(clock, random),
        ...campaignDefaults,
        ...written,
        created_at: now,
        updated_at: now,
      };
      await storage.campaigns
        .insert(orgId, campaign)
        .catch((error: unknown) => rethrowReference(error, { ...campaign }));
      return toCampaign(campaign);
    },

    async get(orgId, id) {
      checkId('campaign', id);
      return toCampaign(requireFound(await storage.campaigns.get(orgId, id), 'campaign', id));
    },

    async list(orgId, query = {}) {
      return (await storage.campaigns.list(orgId, parsePage(query))).map(toCampaign);
    },

    async update(orgId, id, input) {
      checkId('campaign', id);
      for (let tries = 0; tries < maxTries; tries += 1) {
        const changed = await change(orgId, id, input);
        if (changed !== null) return changed;
      }
      throw new RequestError(503, 'unavailable', 'The campaign is being changed by concurrent requests. Try again.');
    },

    async delete(orgId, id) {
      checkId('campaign', id);
      const idle = { status: { in: ['draft', 'paused', 'completed', 'cancelled'] as const } };
      if (await storage.campaigns.delete(orgId, id, idle)) return;
      if ((await storage.campaigns.get(orgId, id)) === null) throw notFound('campaign', id);
      throw new RequestError(409, 'campaign_not_editable', 'Pause or cancel the campaign before deleting it.');
    },

    onChanged: (id, wake) => campaignPublisher.onChanged(id, wake),

    async events(orgId, id, { signal }) {
      checkId('campaign', id);
      const record = requireFound(await storage.campaigns.get(orgId, id), 'campaign', id);
      return watchCampaign(deps, orgId, record.id, signal);
    },
  };
}

function checkSchedule(
  campaign: Pick<Campaign, 'schedule_start_time' | 'schedule_end_time' | 'start_date' | 'end_date'>,
): void {
  const { schedule_start_time: start, schedule_end_time: end, start_date, end_date } = campaign;
  const faults = [];
  if (start >= end) {
    faults.push({ path: 'schedule_end_time', code: 'invalid_field', message: `must be after ${start}` });
  }
  if (start_date !== null && end_date !== null && start_date > end_date) {
    faults.push({ path: 'end_date', code: 'invalid_field', message: `must not be before ${start_date}` });
  }
  if (faults.length > 0) throw invalidInput(faults);
}

function checkEditable({ status }: CampaignRecord): void {
  if (status === 'draft' || status === 'scheduled' || status === 'paused') return;
  throw new RequestError(409, 'campaign_not_editable', `A campaign in the status ${status} cannot be changed.`);
}

function checkTransition({ status: from }: CampaignRecord, to: Campaign['status']): void {
  // Only the service moves a campaign from running back to scheduled, at the end of the day's hours.
  if (campaignTransitions[from].includes(to) && !(from === 'running' && to === 'scheduled')) return;
  throw new RequestError(409, 'campaign_invalid_transition', `A campaign in the status ${from} cannot become ${to}.`);
}

async function checkAgent(
  records: Records,
  orgId: string,
  { agent_id }: CampaignRecord,
  providers: readonly Provider[] | undefined,
): Promise<void> {
  const agent = agent_id === null ? null : await records.agents.get(orgId, agent_id);
  if (agent?.is_active) {
    requireComplete(agent, providers);
    return;
  }
  throw new RequestError(409, 'agent_inactive', 'The campaign has no active agent to call with.');
}

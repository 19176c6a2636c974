import { z } from 'zod';
import type { CampaignPublisher } from '../../campaigns/status/campaign-publisher.ts';
import { timestamp } from '../../clock/timestamp.ts';
import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';
import {
  type BulkLeads,
  type BulkResult,
  bulkLeadsSchema,
  duplicatePolicies,
  type Lead,
  type LeadRecord,
  leadStatuses,
  type NewLead,
  newLeadSchema,
} from '../../domain/campaigns/lead.ts';
import type { Pagination } from '../../domain/records/pagination.ts';
import { ReferenceViolation, RequestError } from '../../errors.ts';
import { uuidv7Sequence } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { pageFields } from '../../input/page-query.ts';
import { parseInput, parseOutline } from '../../input/parse-input.ts';
import { checkId, notFound, requireFound } from '../../input/require-found.ts';
import { countDelta } from '../../leads/lead-counts.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { RecordDependencies } from '../dependencies.ts';
import { LeadBatch, type NewLeadContext } from './lead-batch.ts';
import { readLeadRows } from './lead-csv.ts';
import { surveyLeads, writeLeads } from './lead-export.ts';
import { LeadImport } from './lead-import.ts';

/**
 * Every method throws a `RequestError` for invalid requests: 400 for the input, 404 `campaign_not_found` or
 * `lead_not_found`, 409 `campaign_not_editable` for leads of a campaign that is over.
 */
export interface LeadOperations {
  /** Input: `newLeadSchema`. 409 `duplicate_lead` if the campaign contains the number. */
  add(orgId: string, campaignId: string, input: NewLead): Promise<Lead>;
  /** Oldest first. Query: `limit` (1–1000, default 100), `offset`, `status`. */
  list(orgId: string, campaignId: string, query?: LeadQuery): Promise<{ leads: Lead[]; pagination: Pagination }>;
  /** 409 `lead_in_progress` during its call. */
  remove(orgId: string, campaignId: string, leadId: string): Promise<void>;
  /** Input: `bulkLeadsSchema`. Faults of single leads are in the result and do not stop the others. */
  addMany(orgId: string, campaignId: string, input: BulkLeads): Promise<BulkResult>;
  /**
   * Adds leads from a CSV file (RFC 4180, UTF-8) of at most `maxRows` (default 10,000) rows below a header with
   * `phone_number`; every other column is a variable, and `name` is the lead's name too. Query: `on_duplicate`,
   * `dry_run`.
   *
   * The file is parsed as a stream and stored 10,000 rows at a time: if a longer file turns out to be invalid, the
   * stored rows stay, and it can be imported again with `on_duplicate` `skip`. The result lists the first 10,000
   * errors; `failed` counts all.
   */
  importCsv(
    orgId: string,
    campaignId: string,
    file: AsyncIterable<Uint8Array>,
    query?: LeadImportQuery,
    options?: { readonly maxRows?: number },
  ): Promise<BulkResult>;
  /**
   * Resolves to all leads with their outcomes as CSV: a header, and a row per lead, oldest first. Before it resolves,
   * it reads all leads for their variables: 422 `too_many_variables` for more than 1,000 names.
   */
  exportCsv(orgId: string, campaignId: string): Promise<AsyncIterable<Uint8Array>>;
}

const leadQuerySchema = z.strictObject({ ...pageFields(1_000), status: z.enum(leadStatuses).optional() });
type LeadQuery = z.input<typeof leadQuerySchema>;

const importQuerySchema = z.strictObject({
  /** Validates and counts without storing anything. */
  dry_run: z.enum(['true', 'false']).optional(),
  on_duplicate: z.enum(duplicatePolicies).optional(),
});
type LeadImportQuery = z.input<typeof importQuerySchema>;

/** Thrown to roll back the transaction of a dry run. */
class DryRun extends Error {}

/** Creates the operations on leads of campaigns; `createOperations` creates all groups. */
export function createLeadOperations(
  deps: RecordDependencies & { readonly campaignPublisher: CampaignPublisher },
): LeadOperations {
  const { storage, clock, random, campaignPublisher } = deps;

  const newSource = (): NewLeadContext => ({ clock, nextId: uuidv7Sequence(clock, random) });

  async function store(orgId: string, batch: LeadBatch, campaignId: string, dryRun: boolean): Promise<void> {
    const storing = storage.transaction(async (tx) => {
      await openCampaign(tx, orgId, campaignId);
      const created = await batch.insert(orgId, tx);
      // Conditional, because a campaign that ended meanwhile must not get pending leads.
      const counted = await tx.campaigns.increment(orgId, campaignId, countDelta(created, null, 'pending'), isOpen);
      if (counted === null) await openCampaign(tx, orgId, campaignId);
      if (dryRun) throw new DryRun();
      await tx.campaigns.update(orgId, campaignId, { next_pass_at: timestamp(clock) });
    });
    await storing.then(
      () => campaignPublisher.progressed(orgId, campaignId),
      (error: unknown) => {
        // The campaign was deleted after the check.
        if (error instanceof ReferenceViolation) throw notFound('campaign', campaignId);
        if (!(error instanceof DryRun)) throw error;
      },
    );
  }

  return {
    async add(orgId, campaignId, input) {
      checkId('campaign', campaignId);
      const lead = omitUndefined(parseInput(newLeadSchema, input));
      const batch = new LeadBatch(campaignId, newSource(), { onDuplicate: 'error' });
      batch.add(0, lead);
      await store(orgId, batch, campaignId, false);
      const [created] = batch.created;
      if (created !== undefined) return toLead(created);
      const message = `The campaign has ${lead.phone_number} already.`;
      throw new RequestError(409, 'duplicate_lead', message, [
        { path: 'phone_number', code: 'duplicate_lead', message },
      ]);
    },

    async list(orgId, campaignId, query = {}) {
      checkId('campaign', campaignId);
      const { limit = 100, offset = 0, status } = parseInput(leadQuerySchema, query);
      const campaign = requireFound(await storage.campaigns.get(orgId, campaignId), 'campaign', campaignId);
      const where = { campaign_id: campaignId, ...omitUndefined({ status }) };
      const leads = await storage.leads.list(orgId, { where, limit, offset });
      // Maintained counters: counting a million leads per page would take longer than the rest of the request.
      const total = campaign[`${status ?? 'total'}_leads`];
      return { leads: leads.map(toLead), pagination: { total, limit, offset } };
    },

    async remove(orgId, campaignId, leadId) {
      checkId('campaign', campaignId);
      checkId('lead', leadId);
      await storage.transaction(async (tx) => {
        // Locked before the lead, in the same order as dialing and skipping.
        requireFound(
          await tx.campaigns.update(orgId, campaignId, { next_pass_at: timestamp(clock) }),
          'campaign',
          campaignId,
        );
        const lead = requireFound(await tx.leads.get(orgId, leadId), 'lead', leadId);
        if (lead.campaign_id !== campaignId) throw notFound('lead', leadId);
        const idle = lead.status !== 'calling';
        if (!idle || !(await tx.leads.delete(orgId, leadId, { status: lead.status }))) {
          if ((await tx.leads.get(orgId, leadId)) === null) throw notFound('lead', leadId);
          throw new RequestError(409, 'lead_in_progress', 'The lead is being called.');
        }
        await tx.campaigns.increment(orgId, campaignId, countDelta(1, lead.status, null));
      });
      campaignPublisher.progressed(orgId, campaignId);
    },

    async addMany(orgId, campaignId, input) {
      checkId('campaign', campaignId);
      const { leads, on_duplicate } = parseOutline(bulkLeadsSchema, input);
      const batch = new LeadBatch(campaignId, newSource(), { onDuplicate: on_duplicate ?? 'skip' });
      for (const [index, lead] of leads.entries()) batch.parse(index, lead);
      await store(orgId, batch, campaignId, false);
      return batch.result();
    },

    async importCsv(orgId, campaignId, file, query = {}, { maxRows = defaultMaxRows } = {}) {
      checkId('campaign', campaignId);
      const { dry_run, on_duplicate } = parseInput(importQuerySchema, query);
      const isDryRun = dry_run === 'true';
      await openCampaign(storage, orgId, campaignId);
      const source = newSource();
      const policy = { onDuplicate: on_duplicate ?? 'skip', known: isDryRun ? new Set<number>() : null };
      const importing = new LeadImport(
        (before) => new LeadBatch(campaignId, source, { ...policy, before }),
        (batch) => store(orgId, batch, campaignId, isDryRun),
      );
      return await importing.run(readLeadRows(file, maxRows));
    },

    async exportCsv(orgId, campaignId) {
      checkId('campaign', campaignId);
      requireFound(await storage.campaigns.get(orgId, campaignId), 'campaign', campaignId);
      return writeLeads(storage, orgId, campaignId, await surveyLeads(storage, orgId, campaignId));
    },
  };
}

/** Maximum rows of an import by default, as over HTTP, where the client waits for the result. */
const defaultMaxRows = 10_000;

const isOpen = { status: { in: ['draft', 'scheduled', 'running', 'paused'] as const } };

/** Throws if the campaign accepts no more leads. */
async function openCampaign(records: Records, orgId: string, id: string): Promise<CampaignRecord> {
  const campaign = requireFound(await records.campaigns.get(orgId, id), 'campaign', id);
  if (campaign.status !== 'completed' && campaign.status !== 'cancelled') return campaign;
  throw new RequestError(409, 'campaign_not_editable', `A campaign in the status ${campaign.status} accepts no leads.`);
}

function toLead({ unique_number: _, dial_failures: _failures, ...shown }: LeadRecord): Lead {
  return shown;
}

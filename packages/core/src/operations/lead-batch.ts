import { timestamp } from '../clock/timestamp.ts';
import { type BulkResult, type duplicatePolicies, type LeadRecord, newLeadSchema } from '../domain/lead.ts';
import { RequestError } from '../errors.ts';
import { type RandomBytes, uuidv7Sequence } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Records } from '../ports/storage/storage.ts';
import { parseInput } from './parse-input.ts';

interface ParsedLead {
  readonly phone_number: string;
  readonly name?: string | null | undefined;
  readonly variables?: Record<string, unknown> | undefined;
}

interface Entry {
  readonly index: number;
  readonly lead: ParsedLead;
}

/** Leads on their way into a campaign, and what becomes of each. */
export class LeadBatch {
  onDuplicate: (typeof duplicatePolicies)[number] = 'error';
  readonly #campaignId: string;
  readonly #source: { readonly clock: Clock; readonly random: RandomBytes };
  readonly #entries: Entry[] = [];
  readonly #errors: BulkResult['errors'] = [];
  #duplicates: BulkResult['errors'] = [];
  #created: LeadRecord[] = [];
  #skipped = 0;

  constructor(campaignId: string, source: { readonly clock: Clock; readonly random: RandomBytes }) {
    this.#campaignId = campaignId;
    this.#source = source;
  }

  get created(): readonly LeadRecord[] {
    return this.#created;
  }

  add(index: number, lead: ParsedLead): void {
    this.#entries.push({ index, lead });
  }

  /** Takes a lead as it was written; one that is none is among the errors of the result. */
  parse(index: number, written: unknown): void {
    try {
      this.add(index, parseInput(newLeadSchema, written));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.fail(index, phoneNumberOf(written), error.code, error.message);
    }
  }

  fail(index: number, phoneNumber: string | null, code: string, message: string): void {
    this.#errors.push({ index, phone_number: phoneNumber, code, message });
  }

  /**
   * Stores the leads within a transaction; returns how many were created. A transaction that is tried again calls it again: the last
   * time counts.
   */
  async insert(orgId: string, tx: Records): Promise<number> {
    const records = this.#toRecords();
    const inserted = new Set(await tx.leads.insertMany(orgId, records));
    const duplicates = records.filter(({ id }) => !inserted.has(id));
    if (this.onDuplicate === 'allow') {
      await tx.leads.insertMany(
        orgId,
        duplicates.map((record) => ({ ...record, unique_number: null })),
      );
      this.#created = records;
      return records.length;
    }
    this.#created = records.filter(({ id }) => inserted.has(id));
    if (this.onDuplicate === 'skip') this.#skipped = duplicates.length;
    if (this.onDuplicate === 'error') this.#duplicates = this.#faultsOf(records, inserted);
    return this.#created.length;
  }

  result(): BulkResult {
    const errors = [...this.#errors, ...this.#duplicates].sort((a, b) => a.index - b.index);
    return { created: this.#created.length, skipped: this.#skipped, failed: errors.length, errors };
  }

  /** Ids in ascending order, so that leads of one moment keep the order in which they were given. */
  #toRecords(): LeadRecord[] {
    const { clock, random } = this.#source;
    const now = timestamp(clock);
    const nextId = uuidv7Sequence(clock, random);
    return this.#entries.map(({ lead }) => ({
      id: nextId(),
      campaign_id: this.#campaignId,
      phone_number: lead.phone_number,
      unique_number: lead.phone_number,
      name: lead.name ?? null,
      variables: lead.variables ?? {},
      status: 'pending',
      call_id: null,
      attempts: 0,
      last_attempt_at: null,
      next_attempt_at: null,
      last_end_reason: null,
      status_reason: null,
      created_at: now,
      updated_at: now,
    }));
  }

  #faultsOf(records: readonly LeadRecord[], inserted: ReadonlySet<string>): BulkResult['errors'] {
    return records.flatMap(({ id, phone_number }, n) => {
      if (inserted.has(id)) return [];
      const message = `The campaign has ${phone_number} already.`;
      return [{ index: this.#entries[n]?.index ?? n, phone_number, code: 'duplicate_lead', message }];
    });
  }
}

function phoneNumberOf(written: unknown): string | null {
  if (typeof written !== 'object' || written === null || !('phone_number' in written)) return null;
  return typeof written.phone_number === 'string' ? written.phone_number.slice(0, 100) : null;
}

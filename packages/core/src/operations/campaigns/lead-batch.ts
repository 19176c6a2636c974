import { timestamp } from '../../clock/timestamp.ts';
import {
  type BulkResult,
  type duplicatePolicies,
  type LeadRecord,
  newLeadSchema,
} from '../../domain/campaigns/lead.ts';
import { RequestError } from '../../errors.ts';
import { parseInput } from '../../input/parse-input.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { LeadRow } from './lead-csv.ts';
import type { ParsedLead } from './parsed-lead.ts';
import { readWrittenLead } from './written-lead.ts';

export interface NewLeadContext {
  readonly clock: Clock;
  /** Returns ascending ids, so that leads of one batch keep their order. */
  readonly nextId: () => string;
}

type DuplicatePolicy = (typeof duplicatePolicies)[number];

/** Leads to be added to a campaign in one transaction, with the counts and errors of the result. */
export class LeadBatch {
  readonly #campaignId: string;
  readonly #source: NewLeadContext;
  /** Creation time of all leads of the batch; their ids determine the order. */
  readonly #now: string;
  readonly #onDuplicate: DuplicatePolicy;
  readonly #known: Set<number> | null;
  readonly #before: ReadonlySet<number> | null;
  /**
   * Accepted phone numbers. An E.164 number fits into a JavaScript number, which takes a fraction of the memory of a
   * string.
   */
  readonly numbers = new Set<number>();
  readonly #records: LeadRecord[] = [];
  /** Position of each lead in the input. */
  readonly #indexes: number[] = [];
  readonly #errors: BulkResult['errors'] = [];
  #duplicates: BulkResult['errors'] = [];
  #created: LeadRecord[] = [];
  #skippedBefore = 0;
  #skipped = 0;

  /**
   * @param known collects the numbers of all batches in a dry run, which stores nothing
   * @param before numbers of the previous batch, which may still be being stored: of two equal numbers the first
   *   counts, and neither batch waits for the other
   */
  constructor(
    campaignId: string,
    source: NewLeadContext,
    {
      onDuplicate,
      known = null,
      before = null,
    }: {
      readonly onDuplicate: DuplicatePolicy;
      readonly known?: Set<number> | null;
      readonly before?: ReadonlySet<number> | null;
    },
  ) {
    this.#campaignId = campaignId;
    this.#source = source;
    this.#now = timestamp(source.clock);
    this.#onDuplicate = onDuplicate;
    this.#known = onDuplicate === 'allow' ? null : known;
    this.#before = before;
  }

  get created(): readonly LeadRecord[] {
    return this.#created;
  }

  add(index: number, lead: ParsedLead): void {
    const key = Number(lead.phone_number);
    const isInBefore = this.#before?.has(key) === true;
    if (this.#known?.has(key) || (isInBefore && this.#onDuplicate !== 'allow')) {
      if (this.#onDuplicate === 'skip') this.#skippedBefore += 1;
      else this.#errors.push(duplicate(index, lead.phone_number));
      return;
    }
    this.#known?.add(key);
    this.numbers.add(key);
    const record = this.#toRecord(lead);
    this.#records.push(isInBefore ? { ...record, unique_number: null } : record);
    this.#indexes.push(index);
  }

  takeRow(row: LeadRow): void {
    if ('fault' in row) {
      this.fail(row.index, null, 'invalid_csv', row.fault);
      return;
    }
    const lead = readWrittenLead(row.lead);
    if (lead === null) this.parse(row.index, row.lead);
    else this.add(row.index, lead);
  }

  /** Adds a lead; an invalid one is added to the errors of the result. */
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
   * Stores the leads within a transaction and returns how many were created. May be called again when a transaction is
   * retried: the last call counts.
   */
  async insert(orgId: string, tx: Records): Promise<number> {
    const records = this.#records;
    const inserted = new Set(await tx.leads.insertMany(orgId, records));
    const duplicates = records.filter(({ id }) => !inserted.has(id));
    if (this.#onDuplicate === 'allow') {
      await tx.leads.insertMany(
        orgId,
        duplicates.map((record) => ({ ...record, unique_number: null })),
      );
      this.#created = records;
      return records.length;
    }
    this.#created = records.filter(({ id }) => inserted.has(id));
    if (this.#onDuplicate === 'skip') this.#skipped = duplicates.length;
    if (this.#onDuplicate === 'error') this.#duplicates = this.#faultsOf(records, inserted);
    return this.#created.length;
  }

  result(): BulkResult {
    const errors = [...this.#errors, ...this.#duplicates].sort((a, b) => a.index - b.index);
    return {
      created: this.#created.length,
      skipped: this.#skippedBefore + this.#skipped,
      failed: errors.length,
      errors,
    };
  }

  #toRecord({ phone_number, name = null, variables = {} }: ParsedLead): LeadRecord {
    return {
      id: this.#source.nextId(),
      campaign_id: this.#campaignId,
      phone_number,
      unique_number: phone_number,
      name,
      variables,
      status: 'pending',
      call_id: null,
      attempts: 0,
      dial_failures: 0,
      last_attempt_at: null,
      next_attempt_at: null,
      last_end_reason: null,
      status_reason: null,
      created_at: this.#now,
      updated_at: this.#now,
    };
  }

  #faultsOf(records: readonly LeadRecord[], inserted: ReadonlySet<string>): BulkResult['errors'] {
    return records.flatMap(({ id, phone_number }, n) =>
      inserted.has(id) ? [] : [duplicate(this.#indexes[n] ?? n, phone_number)],
    );
  }
}

function duplicate(index: number, phoneNumber: string): BulkResult['errors'][number] {
  const message = `The campaign has ${phoneNumber} already.`;
  return { index, phone_number: phoneNumber, code: 'duplicate_lead', message };
}

function phoneNumberOf(written: unknown): string | null {
  if (typeof written !== 'object' || written === null || !('phone_number' in written)) return null;
  return typeof written.phone_number === 'string' ? written.phone_number.slice(0, 100) : null;
}

import { setImmediate } from 'node:timers/promises';
import type { BulkResult } from '../../domain/campaigns/lead.ts';
import type { LeadBatch } from './lead-batch.ts';
import type { LeadRow } from './lead-csv.ts';

/** Rows that are stored at once: a file of no more is taken as a whole, or not at all. */
const batchSize = 10_000;
/** Errors that are told one by one. */
const maxErrors = 10_000;

/**
 * Rows that are read before everything else in the process has its turn: calls go on meanwhile, and answers of the
 * database wait.
 */
const rowsAtOnce = 100;

/**
 * Stores rows as they come: while two batches are on their way into the database, of which one waits for the other at
 * most, the next one is read. No more than these three are in memory.
 */
export class LeadImport {
  readonly #newBatch: (before: ReadonlySet<number> | null) => LeadBatch;
  readonly #store: (batch: LeadBatch) => Promise<void>;
  readonly #result: BulkResult = { created: 0, skipped: 0, failed: 0, errors: [] };
  #batch: LeadBatch;
  #rows = 0;
  /** Of the last batch, and of the one before it. Each ends when the one before it has. */
  #storing: Promise<void> = Promise.resolve();
  #storingBefore: Promise<void> = Promise.resolve();

  constructor(newBatch: (before: ReadonlySet<number> | null) => LeadBatch, store: (batch: LeadBatch) => Promise<void>) {
    this.#newBatch = newBatch;
    this.#store = store;
    this.#batch = newBatch(null);
  }

  /**
   * Rejects with what reading rejects with, or storing. What was stored by then stays, and the batch that was on its
   * way with one that failed.
   */
  async run(pieces: AsyncIterable<readonly LeadRow[]>): Promise<BulkResult> {
    try {
      for await (const rows of pieces) await this.#take(rows);
    } catch (thrown) {
      // Nothing goes on behind the back of whoever is told.
      await this.#storing.catch(() => {});
      throw thrown;
    }
    await this.#turnOver();
    await this.#storing;
    return this.#result;
  }

  async #take(rows: readonly LeadRow[]): Promise<void> {
    for (const row of rows) {
      if (this.#rows === batchSize) await this.#turnOver();
      this.#batch.takeRow(row);
      this.#rows += 1;
      if (this.#rows % rowsAtOnce === 0) await setImmediate();
    }
  }

  async #turnOver(): Promise<void> {
    await this.#storingBefore;
    const batch = this.#batch;
    this.#batch = this.#newBatch(batch.numbers);
    this.#rows = 0;
    this.#storingBefore = this.#storing;
    this.#storing = this.#storeOne(batch, this.#storing);
    // Whoever awaits it hears of it, later.
    this.#storing.catch(() => {});
  }

  async #storeOne(batch: LeadBatch, before: Promise<void>): Promise<void> {
    const [stored, earlier] = await Promise.allSettled([this.#store(batch), before]);
    if (earlier.status === 'rejected') throw earlier.reason;
    if (stored.status === 'rejected') throw stored.reason;
    const { created, skipped, failed, errors } = batch.result();
    const all = this.#result;
    all.created += created;
    all.skipped += skipped;
    all.failed += failed;
    all.errors.push(...errors.slice(0, maxErrors - all.errors.length));
  }
}

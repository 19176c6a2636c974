import { setImmediate } from 'node:timers/promises';
import type { BulkResult } from '../../domain/campaigns/lead.ts';
import type { LeadBatch } from './lead-batch.ts';
import type { LeadRow } from './lead-csv.ts';

/** Rows per transaction: a file with at most this many rows is stored completely or not at all. */
const batchSize = 10_000;
/** Maximum errors listed in the result. */
const maxErrors = 10_000;

/** Rows parsed before the event loop gets a turn, so that calls are not delayed. */
const rowsAtOnce = 100;

/**
 * Stores rows as they arrive. Up to two batches are stored concurrently while the next one is read, so at most three
 * are in memory. Their results are added in the order of the file.
 */
export class LeadImport {
  readonly #newBatch: (before: ReadonlySet<number> | null) => LeadBatch;
  readonly #store: (batch: LeadBatch) => Promise<void>;
  readonly #result: BulkResult = { created: 0, skipped: 0, failed: 0, errors: [] };
  #batch: LeadBatch;
  #rows = 0;
  /** Settles when the newest complete batch and all batches before it are stored. */
  #storing: Promise<void> = Promise.resolve();
  /** Settles when the batches before the newest complete one are stored. */
  #storingBefore: Promise<void> = Promise.resolve();

  constructor(newBatch: (before: ReadonlySet<number> | null) => LeadBatch, store: (batch: LeadBatch) => Promise<void>) {
    this.#newBatch = newBatch;
    this.#store = store;
    this.#batch = newBatch(null);
  }

  /** Stores all rows. Rejects if reading or storing fails; batches stored before or at that time stay. */
  async run(pieces: AsyncIterable<readonly LeadRow[]>): Promise<BulkResult> {
    try {
      for await (const rows of pieces) await this.#take(rows);
    } catch (thrown) {
      // No write may continue after the rejection.
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
    // Awaited later; prevents an unhandled rejection until then.
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

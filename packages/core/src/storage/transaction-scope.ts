import { AsyncLocalStorage } from 'node:async_hooks';
import { toError, VaError } from '../errors.ts';

/** The transactions around the running code, of any storage, as a linked list from the innermost one. */
interface Surroundings {
  readonly scope: TransactionScope;
  readonly transaction: OpenTransaction;
  readonly outer: Surroundings | undefined;
}

/**
 * One instance for all storages. Before Node 24, an instance in use slows down every promise, timer and read of the
 * process a little, so it is disabled while there is no transaction.
 */
const surroundings = new AsyncLocalStorage<Surroundings>();
let openCount = 0;

/**
 * Enforces the rules of `Storage.transaction` that are the same in every adapter: inside the work of a transaction,
 * only the records passed to the work are used; these are not used after the transaction; and a verb that threw spoils
 * the transaction, so that it is rolled back.
 *
 * @example await scope.run((transaction) => work(recordsIn(transaction)));
 */
export class TransactionScope {
  /** Throws `nested_transaction` when called from inside the work of a transaction that is still open. */
  refuseNesting(): void {
    for (let around = surroundings.getStore(); around !== undefined; around = around.outer) {
      if (around.scope === this && around.transaction.isOpen) {
        throw new VaError(
          'nested_transaction',
          'The storage was used inside one of its own transactions. ' +
            'Use the records that the transaction passes to its work.',
        );
      }
    }
  }

  /** Runs the work of a transaction. Rejects when it is to be rolled back, with the reason. */
  async run<T>(work: (transaction: OpenTransaction) => Promise<T>): Promise<T> {
    const transaction = new OpenTransaction();
    const around = { scope: this, transaction, outer: surroundings.getStore() };
    openCount += 1;
    try {
      const result = await surroundings.run(around, () => work(transaction));
      transaction.throwIfSpoiled();
      return result;
    } finally {
      transaction.close();
      openCount -= 1;
      if (openCount === 0) surroundings.disable();
    }
  }
}

/** Guards the verbs of a transaction. */
export class OpenTransaction {
  #isOpen = true;
  #spoiledBy: Error | null = null;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Runs a verb. Throws `transaction_over` after the transaction, `transaction_spoiled` after a verb that threw.
   */
  async verb<T>(run: () => T | Promise<T>): Promise<T> {
    if (!this.#isOpen) {
      throw new VaError('transaction_over', 'The records of a transaction were used after it was over.');
    }
    if (this.#spoiledBy !== null) {
      throw new VaError(
        'transaction_spoiled',
        'An earlier step of this transaction failed, so that it is rolled back.',
        {
          cause: this.#spoiledBy,
        },
      );
    }
    try {
      return await run();
    } catch (thrown) {
      this.#spoiledBy ??= toError(thrown);
      throw thrown;
    }
  }

  throwIfSpoiled(): void {
    if (this.#spoiledBy !== null) throw this.#spoiledBy;
  }

  close(): void {
    this.#isOpen = false;
  }
}

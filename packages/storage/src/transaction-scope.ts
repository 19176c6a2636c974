import { AsyncLocalStorage } from 'node:async_hooks';
import { VaError } from '@va/core';

/** Knows whether code runs inside the work of a transaction, so that nesting fails at once instead of waiting for itself. */
export class TransactionScope {
  readonly #scope = new AsyncLocalStorage<{ open: boolean }>();

  /** Throws `nested_transaction` when called from inside the work of a transaction that is still open. */
  refuseNesting(): void {
    if (this.#scope.getStore()?.open) {
      throw new VaError(
        'nested_transaction',
        'The storage was used inside one of its own transactions. Use the repositories that the transaction passes to its work.',
      );
    }
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const scope = { open: true };
    try {
      return await this.#scope.run(scope, work);
    } finally {
      scope.open = false;
    }
  }
}

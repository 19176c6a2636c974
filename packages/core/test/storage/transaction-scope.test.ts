import { expect, it } from 'vitest';
import { TransactionScope } from '../../src/storage/transaction-scope.ts';

it('transaction scope › refuses nesting in a transaction that outlives another one', async () => {
  const scope = new TransactionScope();
  let finish = (): void => {};
  const longer = scope.run(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    scope.refuseNesting();
  });
  await scope.run(async () => {});
  finish();
  await expect(longer).rejects.toMatchObject({ code: 'nested_transaction' });
});

it('transaction scope › refuses nesting again after a time without transactions', async () => {
  const scope = new TransactionScope();
  await scope.run(async () => {});
  scope.refuseNesting();
  await expect(scope.run(async () => scope.refuseNesting())).rejects.toMatchObject({ code: 'nested_transaction' });
});

import type { Storage } from '@va/core';
import { Mutex } from '../mutex.ts';
import { TransactionScope } from '../transaction-scope.ts';
import { type Access, memoryRepositories } from './repositories.ts';
import { copyTables, emptyTables } from './tables.ts';

/** Records in this process's memory, gone with it: for tests and trials. */
export function memory(): Storage {
  let committed = emptyTables();
  const writers = new Mutex();
  const scope = new TransactionScope();

  const direct: Access = {
    read: async (step) => step(committed),
    async write(step) {
      scope.refuseNesting();
      return await writers.run(() => step(committed));
    },
  };

  return {
    ...memoryRepositories(direct),
    async start() {},
    async close() {},
    async ping() {},
    async transaction(work) {
      scope.refuseNesting();
      return await writers.run(async () => {
        const draft = copyTables(committed);
        const onDraft: Access['read'] = async (step) => step(draft);
        const result = await scope.run(() => work(memoryRepositories({ read: onDraft, write: onDraft })));
        committed = draft;
        return result;
      });
    },
  };
}

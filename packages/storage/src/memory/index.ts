import {
  type Records,
  recordsOf,
  type Storage,
  StorageCapabilityError,
  TransactionScope,
  VaError,
} from '@va/core/adapter';
import { Mutex } from '../mutex.ts';
import { memoryAcross } from './across.ts';
import { memoryCollection, type RunStep } from './collection.ts';
import { MemoryDatabase } from './database.ts';

/**
 * Creates a storage in the memory of this process, for tests and trials. It runs one verb or transaction at a time; a
 * verb waits for the open transaction. It can be used before `start()`.
 *
 * @example createVoiceAgents({ storage: memory(), … })
 */
export function memory(): Storage {
  const db = new MemoryDatabase();
  const turns = new Mutex();
  const scope = new TransactionScope();
  let isClosed = false;

  function checkUsable(): void {
    if (isClosed) throw new VaError('storage_not_started', 'The storage is closed: call start() to use it again.');
    scope.refuseNesting();
  }

  async function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    checkUsable();
    return await turns.run(async () => {
      try {
        const result = await work();
        db.commit();
        return result;
      } catch (error) {
        db.rollback();
        throw error;
      }
    });
  }

  return {
    ...records((step) => inTurn(() => step(db))),
    capabilities: { persistent: false, shared: false, migrations: false },
    migrations: {
      plan: () => Promise.reject(new StorageCapabilityError('migrations')),
      apply: () => Promise.reject(new StorageCapabilityError('migrations')),
    },
    async start() {
      isClosed = false;
    },
    async close() {
      isClosed = true;
    },
    async ping() {
      checkUsable();
    },
    transaction: (work) =>
      inTurn(() => scope.run((transaction) => work(records((step) => transaction.verb(() => step(db)))))),
  };
}

function records(run: RunStep): Records {
  return recordsOf(
    (name) => memoryCollection(run, name),
    (name) => memoryAcross(run, name),
  );
}

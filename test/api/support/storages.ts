import type { Storage } from '@va/core';
import { memory } from '@va/storage/memory';
import { pglite } from '@va/storage/pglite';
import { postgres } from '@va/storage/postgres';
import { startPostgres } from '../../../packages/storage/test/support/postgres-server.ts';

/** A storage for one suite, and what has to be stopped after it was closed. */
export interface PreparedStorage {
  readonly storage: Storage;
  stop(): Promise<void>;
}

export interface StorageKind {
  readonly name: string;
  prepare(): Promise<PreparedStorage>;
}

export const memoryStorage: StorageKind = {
  name: 'memory',
  prepare: async () => ({ storage: memory(), stop: async () => {} }),
};

export const postgresStorage: StorageKind = {
  name: 'PostgreSQL',
  async prepare() {
    const server = await startPostgres();
    const storage = postgres({ connectionString: server.connectionString, migrations: 'auto' });
    return { storage, stop: () => server.stop() };
  },
};

/** Everything that the API has to be the same on. */
export const storageKinds: readonly StorageKind[] = [
  memoryStorage,
  { name: 'PGlite', prepare: async () => ({ storage: pglite(), stop: async () => {} }) },
  postgresStorage,
];

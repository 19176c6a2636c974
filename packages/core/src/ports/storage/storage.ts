import { VaError } from '../../errors.ts';
import type { Cluster } from '../cluster.ts';
import type { JobQueue } from '../jobs.ts';
import type { Records } from './records.ts';

/** Runs statements of the host in a transaction of the storage. */
export interface SqlClient {
  /**
   * @param text one statement with `$1`, `$2` … for the values
   * @returns rows by column name; timestamps are ISO 8601 texts, `bigint` and `numeric` are numbers
   */
  query(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** Optional capabilities of a storage, false if it lacks them. */
export interface StorageCapabilities {
  /** Records survive the process. */
  readonly persistent: boolean;
  /** Several processes can open the same records, and verbs are atomic between them. */
  readonly shared: boolean;
  /** The storage has a schema whose changes can be planned and applied. */
  readonly migrations: boolean;
}

/** A schema change that the database lacks. */
export interface PendingMigration {
  readonly version: number;
  readonly name: string;
  /** Statements, in order. */
  readonly sql: readonly string[];
  /** True when `sql` begins and commits its own transactions. */
  readonly isScript?: boolean;
}

/** The migrations of a storage. */
export interface StorageMigrations {
  /**
   * Returns the pending migrations, in order; the storage need not be started. Throws if the schema is newer than the
   * code, or an applied migration was changed.
   */
  plan(): Promise<readonly PendingMigration[]>;
  /** Applies the pending migrations under a lock and returns them. */
  apply(): Promise<readonly PendingMigration[]>;
}

/**
 * Storage of the records.
 *
 * An implementation MUST keep timestamps to the millisecond and every Unicode text, except that U+0000 and lone
 * surrogates become U+FFFD (see `storable`), so that no text makes a record fail. A JSON field given as a `JsonText`
 * has the value that its text encodes. `collectionSchemas` describes all collections as data, from which an adapter can
 * derive its tables and queries. `@va/testkit/storage` tests this contract.
 */
export interface Storage extends Records {
  readonly capabilities: StorageCapabilities;
  /**
   * Job queue in the same database, which takes part in its transactions. Without it the service keeps jobs in memory
   * and loses pending ones when the process dies.
   */
  readonly jobs?: JobQueue;
  /**
   * Lets processes that share the storage find each other. Without it, a process cannot control the calls of another
   * one, and calls of a process that died are ended only 13 hours after they began.
   */
  readonly cluster?: Cluster;
  /** Throws `StorageCapabilityError` if the capability `migrations` is not declared. */
  readonly migrations: StorageMigrations;
  /**
   * Connects, then migrates or checks the schema, as the adapter's `migrations` option says. A second call does
   * nothing.
   */
  start(): Promise<void>;
  /** Closes the storage. Afterwards everything except `start` and `close` throws `storage_not_started`. */
  close(): Promise<void>;
  /**
   * Runs `work` in a transaction: commits when it resolves, rolls back and rejects with its error when it throws.
   * `work` reads its own writes; others see them after the commit.
   *
   * `work` MUST have no effects other than through `tx`, because a storage may repeat it after a conflict such as a
   * deadlock. A verb that throws spoils the transaction: it is rolled back and rejects with that error, whatever `work`
   * does then. Inside `work`, verbs of the storage itself throw `nested_transaction`; after it, verbs of `tx` throw
   * `transaction_over`. `TransactionScope` implements these checks.
   */
  transaction<T>(work: (tx: Records) => Promise<T>): Promise<T>;
  /** Returns a client for statements in an open transaction of an SQL database. */
  sqlClient?(tx: Records): SqlClient;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
}

/** A storage was asked for a capability that it does not declare. */
export class StorageCapabilityError extends VaError {
  readonly capability: keyof StorageCapabilities;

  constructor(capability: keyof StorageCapabilities) {
    super('storage_capability_missing', `This storage does not have the capability "${capability}".`);
    this.capability = capability;
  }
}

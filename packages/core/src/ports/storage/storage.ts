import { VaError } from '../../errors.ts';
import type { Cluster } from '../cluster.ts';
import type { JobQueue } from '../jobs.ts';
import type { Records } from './records.ts';

/** Statements of the host's own in a transaction of the storage. */
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

/** What a storage can do beyond the verbs. What is not declared is refused, never done by halves. */
export interface StorageCapabilities {
  /** Records outlive the process: a storage opened again has them. */
  readonly persistent: boolean;
  /** Several processes can have the same records open at once, and the verbs are atomic between them. */
  readonly shared: boolean;
  /** It keeps a schema, whose changes can be planned and applied. */
  readonly migrations: boolean;
}

/** A change of the schema that the database lacks. */
export interface PendingMigration {
  readonly version: number;
  readonly name: string;
  /** Statements, in order. */
  readonly sql: readonly string[];
  /** True when `sql` begins and commits its own transactions. */
  readonly isScript?: boolean;
}

export interface StorageMigrations {
  /** What is to be done, in order; works on a storage that is not started. Throws when the schema is newer than the code, or changed. */
  plan(): Promise<readonly PendingMigration[]>;
  /** Does it, under a lock and in one transaction; returns what was done. */
  apply(): Promise<readonly PendingMigration[]>;
}

/**
 * Where the records live.
 *
 * An implementation MUST keep timestamps to the millisecond and every Unicode text, but that U+0000 and lone surrogates
 * become U+FFFD (see `storable`), so that no odd text loses a record. A JSON field that is given as a `JsonText` is what that says. What `collectionSchemas` says of each collection is
 * enough to treat all of them alike. `@va/testkit/storage` tests all that is said here.
 */
export interface Storage extends Records {
  readonly capabilities: StorageCapabilities;
  /**
   * Jobs that are stored in the same database, and in its transactions. Without it the service keeps jobs in its memory: what waits
   * to be done when the process dies is lost then.
   */
  readonly jobs?: JobQueue;
  /**
   * How processes that share the storage know of each other. Without it each is alone: what another one runs cannot be reached from here, and
   * is given up hours after that one died.
   */
  readonly cluster?: Cluster;
  /** Throws `StorageCapabilityError` where the capability `migrations` is not declared. */
  readonly migrations: StorageMigrations;
  /**
   * Connects, and brings the schema up to date or refuses, as the adapter's `migrations` setting says. A second time, it does
   * nothing.
   */
  start(): Promise<void>;
  /** Afterwards all but `start` and `close` throws `storage_not_started`. */
  close(): Promise<void>;
  /**
   * Runs all of `work` or nothing of it; rolls back when it throws, and throws that. What `work` reads includes what it
   * wrote; what it wrote is seen by others when it is done.
   *
   * `work` MUST have no effect but through `tx`: a storage may run it again from the start where it lost against others (a
   * deadlock, say). A verb that throws spoils the transaction: it is rolled back whatever `work` does then, and throws that.
   * Inside `work` the storage itself is refused (`nested_transaction`), and `tx` is after it (`transaction_over`); see `TransactionScope`.
   */
  transaction<T>(work: (tx: Records) => Promise<T>): Promise<T>;
  /** Statements in an open transaction, where the records lie in an SQL database. */
  sqlClient?(tx: Records): SqlClient;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
}

/** Something was asked of a storage that it does not declare. */
export class StorageCapabilityError extends VaError {
  readonly capability: keyof StorageCapabilities;

  constructor(capability: keyof StorageCapabilities) {
    super('storage_capability_missing', `This storage does not have the capability "${capability}".`);
    this.capability = capability;
  }
}

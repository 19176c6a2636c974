import type { PGliteLike } from './pglite-like.ts';

/** Result of a statement. Rows are keyed by column name, with values as records have them. */
export interface Result {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Number of rows inserted, changed, deleted or selected. */
  readonly rowCount: number;
}

/** A pool, or the session of a transaction. */
export interface SqlConnection {
  /** Runs a statement. With a name, the server keeps the plan of the text for later uses. */
  query(text: string, values: readonly unknown[], name?: string): Promise<Result>;
}

/** An open database. */
export interface Driver extends SqlConnection {
  /** Runs the work in a transaction: commits when it resolves, rolls back when it rejects. */
  transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
  /**
   * Runs statements that begin and commit a transaction themselves. A script that fails leaves no transaction open.
   * Returns the rows of all statements.
   */
  script(text: string): Promise<Result['rows']>;
  /** The embedded database, when it is one; its statements wait for an open transaction. */
  readonly pglite?: PGliteLike;
  /** Present if the database has notifications. */
  readonly listen?: Listen;
  close(): Promise<void>;
}

/** Listens on a channel of the database, over a connection of its own. */
export type Listen = (
  channel: string,
  on: { payload(text: string): void; broken(): void },
) => Promise<NotificationSession>;

/** A connection that listens on a channel. */
export interface NotificationSession {
  /** Rejects if the connection is broken. */
  check(): Promise<void>;
  close(): void;
}

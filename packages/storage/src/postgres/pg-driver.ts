import type { Driver, NotificationSession, Result, SqlConnection } from '../sql/connection.ts';
import { parserOf } from '../sql/values.ts';
import { type NamedStatement, PreparedQuery } from './prepared-query.ts';

/** The part of a `pg` pool that the adapter uses. */
export interface PgPool {
  query(config: PgQuery): Promise<PgResult>;
  connect(): Promise<PgClient>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'acquire', listener: (client: PgEmitter) => void): unknown;
  listeners(event: 'error' | 'acquire'): unknown[];
}

/** The part of a connection that reports its errors. */
interface PgEmitter {
  on(event: 'error', listener: (error: Error) => void): unknown;
  listeners(event: 'error'): unknown[];
}

/** The part of a connection of the pool that the adapter uses. */
export interface PgClient {
  /** The connection to the server; absent with `pg-native`. */
  readonly connection?: object;
  /** True if statements are sent before the earlier ones are answered. */
  readonly pipeline?: boolean;
  query(query: PreparedQuery): PreparedQuery;
  query(config: PgQuery): Promise<PgResult>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (notification: PgNotification) => void): unknown;
  off(event: 'end', listener: () => void): unknown;
  off(event: 'notification', listener: (notification: PgNotification) => void): unknown;
  /** @param destroy true closes the connection instead of returning it to the pool */
  release(destroy?: boolean): void;
}

interface PgNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

interface PgQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | undefined;
  /** Type parsers of this query only; the host's pool keeps its own. */
  readonly types: { getTypeParser(oid: number): (text: string) => unknown };
}

interface PgResult {
  readonly rows: Record<string, unknown>[];
  readonly rowCount: number | null;
}

const types: PgQuery['types'] = { getTypeParser: parserOf };

/**
 * Driver of a pool.
 *
 * @param end closes the pool, if the adapter owns it
 */
export class PgDriver implements Driver {
  readonly #pool: PgPool;
  readonly #end: () => Promise<void>;

  constructor(pool: PgPool, end: () => Promise<void>) {
    this.#pool = pool;
    this.#end = end;
    // The listeners are never removed: idle connections of the host's pool, and closing ones of ours, may still break.
    if (!pool.listeners('error').includes(onIdleError)) pool.on('error', onIdleError);
    if (!pool.listeners('acquire').includes(guard)) pool.on('acquire', guard);
  }

  async query(text: string, values: readonly unknown[], name?: string): Promise<Result> {
    if (name === undefined) return await query(this.#pool, text, values);
    const client = await this.#pool.connect();
    let isBroken = false;
    try {
      return await queryNamed(client, { name, text, values });
    } catch (error) {
      isBroken = !isOfStatement(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isBroken = false;
    try {
      await query(client, 'begin', []);
      const result = await work({
        query: (text, values, name) =>
          name === undefined ? query(client, text, values) : queryNamed(client, { name, text, values }),
      });
      await query(client, 'commit', []);
      return result;
    } catch (error) {
      await query(client, 'rollback', []).catch(() => {
        isBroken = true;
      });
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async script(text: string): Promise<Result['rows']> {
    const client = await this.#pool.connect();
    let isBroken = true;
    try {
      // The server answers a script with one result per statement.
      const results: PgResult | readonly PgResult[] = await client.query({ name: undefined, text, values: [], types });
      isBroken = false;
      return [results].flat().flatMap(({ rows }) => rows);
    } finally {
      // A failed script leaves its transaction open.
      client.release(isBroken);
    }
  }

  readonly listen = async (
    channel: string,
    on: { payload(text: string): void; broken(): void },
  ): Promise<NotificationSession> => {
    const client = await this.#pool.connect();
    let isOpen = true;
    const onNotification = (notification: PgNotification): void => {
      if (notification.channel === channel) on.payload(notification.payload ?? '');
    };
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      client.off('notification', onNotification);
      client.off('end', onBroken);
      // Destroys the connection, because it would go on listening for its next user. Later errors of it are ignored.
      client.release(true);
    };
    const onBroken = (): void => {
      if (!isOpen) return;
      close();
      on.broken();
    };
    client.on('error', onBroken);
    client.on('end', onBroken);
    client.on('notification', onNotification);
    try {
      await query(client, `listen "${channel.replaceAll('"', '""')}"`, []);
    } catch (error) {
      close();
      throw error;
    }
    return { check: async () => void (await query(client, 'select 1', [])), close };
  };

  async close(): Promise<void> {
    await this.#end();
  }
}

/**
 * Ignores the error of a broken idle connection: the pool removes the connection, and the next statement opens another
 * one. Without a listener, the pool's `error` event would end the process.
 * @see https://node-postgres.com/apis/pool#error
 */
function onIdleError(): void {}

/**
 * Prevents a connection that breaks while it is in use from ending the process; its next statement reports the break.
 * The listener is added on `acquire`, because a connection can break before the code that waits for it receives it.
 */
function guard(client: PgEmitter): void {
  if (!client.listeners('error').includes(onBrokenClient)) client.on('error', onBrokenClient);
}

function onBrokenClient(): void {}

/** Returns true for errors that the server reports of a statement, after which the connection serves the next one. */
function isOfStatement(error: unknown): boolean {
  return (error as { severity?: unknown }).severity === 'ERROR';
}

async function query(on: Pick<PgPool, 'query'>, text: string, values: readonly unknown[]): Promise<Result> {
  return toResult(await on.query({ name: undefined, text, values, types }));
}

async function queryNamed(client: PgClient, statement: NamedStatement): Promise<Result> {
  // Neither `pg-native` nor a pipeline takes queries of another class than pg's own.
  if (client.connection === undefined || client.pipeline) return toResult(await client.query({ ...statement, types }));
  try {
    return await new Promise((resolve, reject) => {
      client.query(new PreparedQuery(statement, (error, result) => (result ? resolve(result) : reject(error))));
    });
  } catch (error) {
    // The stack of the socket's event says nothing about the caller.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}

function toResult({ rows, rowCount }: PgResult): Result {
  return { rows, rowCount: rowCount ?? 0 };
}

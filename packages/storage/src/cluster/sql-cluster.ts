import {
  type Cluster,
  type ClusterListener,
  type NodeRecord,
  type NodeState,
  type NodeTrunkHealth,
  nodeDetailsSchema,
  nodeTrunkHealthSchema,
  type PublishedTrunkHealth,
} from '@va/core/adapter';
import { type RawBuilder, sql } from 'kysely';
import type { Driver, Result, SqlConnection } from '../sql/connection.ts';
import { type Compilable, type QueryBuilder, queryBuilder } from '../sql/database.ts';
import { Notifications } from './notifications.ts';

/**
 * Maximum length of a payload. PostgreSQL refuses one of 8,000 bytes or more.
 * @see https://www.postgresql.org/docs/current/sql-notify.html
 */
const maxPayload = 7_900;

/** Options of `SqlCluster`. */
export interface SqlClusterOptions {
  readonly schema: string;
  /** Returns the open database. Throws when there is none. */
  readonly driver: () => Driver;
  /** False if messages are not sent by NOTIFY; other processes then poll. */
  readonly notifications: boolean;
}

/** Nodes in a table of the storage's schema; messages by LISTEN and NOTIFY. */
export class SqlCluster implements Cluster {
  readonly #db: QueryBuilder;
  readonly #lock: string;
  readonly #table: string;
  readonly #channel: string;
  readonly #driver: () => Driver;
  readonly #notifications: boolean;

  constructor({ schema, driver, notifications }: SqlClusterOptions) {
    this.#db = queryBuilder(schema);
    this.#table = `"${schema.replaceAll('"', '""')}".nodes`;
    this.#lock = `${schema}.nodes.seats`;
    this.#channel = `${schema}.nodes`.slice(0, 63);
    this.#driver = driver;
    this.#notifications = notifications;
  }

  async join(node: NodeState, leaseMs: number): Promise<void> {
    await this.#run(this.#db.insertInto('nodes').values({ id: node.id, ...columnsOf(node, leaseMs) }));
  }

  async renew(node: NodeState, leaseMs: number): Promise<boolean> {
    const { rowCount } = await this.#run(this.#live().set(columnsOf(node, leaseMs)).where('id', '=', node.id));
    return rowCount === 1;
  }

  async takeLost(): Promise<readonly string[]> {
    await this.#run(this.#live().set({ lost_at: now }).where('expires_at', '<', now));
    const { rows } = await this.#run(this.#db.selectFrom('nodes').select('id').where('lost_at', 'is not', null));
    return rows.map(({ id }) => String(id));
  }

  async remove(nodeId: string): Promise<void> {
    await this.#run(this.#db.deleteFrom('nodes').where('id', '=', nodeId));
  }

  async nodes(): Promise<readonly NodeRecord[]> {
    const { rows } = await this.#run(
      this.#db
        .selectFrom('nodes')
        .select(['id', 'name', 'is_draining', 'calls', 'started_at', 'expires_at', 'renewed_at', 'details'])
        .select(sql<boolean>`expires_at < now()`.as('is_expired'))
        .where('lost_at', 'is', null)
        .orderBy('started_at')
        .orderBy('id'),
    );
    return rows.map((row) => ({
      id: String(row.id),
      name: String(row.name),
      isDraining: row.is_draining === true,
      calls: Number(row.calls),
      startedAt: String(row.started_at),
      expiresAt: String(row.expires_at),
      renewedAt: row.renewed_at === null ? null : String(row.renewed_at),
      isExpired: row.is_expired === true,
      // Another version of the service may have written other fields.
      details: nodeDetailsSchema.safeParse(row.details).data ?? null,
    }));
  }

  async holdCallSlots(nodeId: string, seats: number, limit: number | null): Promise<boolean> {
    const hold = this.#live().set({ seats }).where('id', '=', nodeId);
    if (limit === null) return (await this.#run(hold)).rowCount === 1;
    const ofOthers = this.#db
      .selectFrom('nodes')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('seats'), sql.lit(0)).as('seats'))
      .where('id', '<>', nodeId)
      .where('lost_at', 'is', null);
    const holdIfFree = hold.where(({ eb }) => eb(eb(eb.val(seats), '+', ofOthers), '<=', limit));
    return await this.#driver().transaction(async (connection) => {
      // The next statement sees the seats that were committed before this lock was granted. Raw SQL, because a function
      // call without a table gains nothing from the builder.
      await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [this.#lock]);
      return (await run(connection, holdIfFree)).rowCount === 1;
    });
  }

  async publishTrunkHealth(nodeId: string, health: Readonly<Record<string, NodeTrunkHealth>>): Promise<void> {
    await this.#run(
      this.#live()
        .set({ trunks: JSON.stringify(health) })
        .where('id', '=', nodeId),
    );
  }

  async trunkHealth(trunkIds: readonly string[]): Promise<readonly PublishedTrunkHealth[]> {
    // Raw SQL, because Kysely has no functions that return a set, such as `jsonb_each`.
    const { rows } = await this.#driver().query(
      `select n.id, t.key, t.value from ${this.#table} n cross join lateral jsonb_each(n.trunks) t
        where t.key = any($1::text[]) and n.lost_at is null and n.expires_at >= now() order by n.started_at, n.id`,
      [[...trunkIds]],
    );
    return rows.flatMap(({ id, key, value }): PublishedTrunkHealth[] => {
      // Another version of the service may have written other fields.
      const health = nodeTrunkHealthSchema.safeParse(value).data;
      return health === undefined ? [] : [{ nodeId: String(id), trunkId: String(key), health }];
    });
  }

  #live() {
    return this.#db.updateTable('nodes').where('lost_at', 'is', null);
  }

  async #run(query: Compilable): Promise<Result> {
    return await run(this.#driver(), query);
  }

  async publish(topic: string, ids: readonly string[]): Promise<void> {
    if (!this.#notifications) return;
    const payloads = payloadsOf(topic, ids);
    if (payloads.length === 0) return;
    // Raw SQL, because Kysely has no `unnest`.
    await this.#driver().query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
      this.#channel,
      payloads,
    ]);
  }

  subscribe(listener: ClusterListener): () => Promise<void> {
    const { listen } = this.#driver();
    if (listen === undefined || !this.#notifications) return async () => {};
    const notifications = new Notifications(listen, this.#channel, {
      connected: () => listener.connected(),
      payload(text) {
        const [topic = '', ...ids] = text.split(' ');
        for (const id of ids) listener.message(topic, id);
      },
    });
    return () => notifications.close();
  }
}

/** Packs ids into as few payloads as possible. */
function payloadsOf(topic: string, ids: readonly string[]): string[] {
  const payloads: string[] = [];
  let payload = '';
  for (const id of ids) {
    if (payload !== '' && payload.length + 1 + id.length > maxPayload) {
      payloads.push(payload);
      payload = '';
    }
    payload = payload === '' ? `${topic} ${id}` : `${payload} ${id}`;
  }
  if (payload !== '') payloads.push(payload);
  return payloads;
}

const now = sql<string>`now()`;

function columnsOf({ name, isDraining, calls, details = null }: NodeState, leaseMs: number) {
  return {
    name,
    is_draining: isDraining,
    calls,
    details: details === null ? null : JSON.stringify(details),
    renewed_at: now,
    expires_at: inMs(leaseMs),
  };
}

function inMs(ms: number): RawBuilder<string> {
  return sql`now() + ${ms}::float8 * interval '1 ms'`;
}

async function run(connection: SqlConnection, query: Compilable): Promise<Result> {
  const { sql: text, parameters } = query.compile();
  return await connection.query(text, parameters);
}

import type { Cluster, ClusterListener, NodeRecord, NodeState } from '@va/core';
import type { Driver } from '../sql/connection.ts';
import { Notifications } from './notifications.ts';

/** PostgreSQL refuses a payload of 8,000 bytes. @see https://www.postgresql.org/docs/current/sql-notify.html */
const maxPayload = 7_900;

export interface SqlClusterOptions {
  readonly schema: string;
  /** The open database. Throws where there is none. */
  readonly driver: () => Driver;
  /** Whether messages come by NOTIFY; without it others look for what there is from time to time. */
  readonly notifications: boolean;
}

/** Nodes in a table of the storage's schema, messages by LISTEN and NOTIFY. */
export class SqlCluster implements Cluster {
  readonly #nodes: string;
  readonly #lock: string;
  readonly #channel: string;
  readonly #driver: () => Driver;
  readonly #notifications: boolean;

  constructor({ schema, driver, notifications }: SqlClusterOptions) {
    this.#nodes = `${quoted(schema)}.nodes`;
    this.#lock = `${schema}.nodes.seats`;
    this.#channel = `${schema}.nodes`.slice(0, 63);
    this.#driver = driver;
    this.#notifications = notifications;
  }

  async join({ id, name, isDraining, calls }: NodeState, leaseMs: number): Promise<void> {
    await this.#driver().query(
      `insert into ${this.#nodes} (id, name, expires_at, is_draining, calls)
        values ($1, $2, now() + $3::float8 * interval '1 ms', $4, $5)`,
      [id, name, leaseMs, isDraining, calls],
    );
  }

  async renew({ id, name, isDraining, calls }: NodeState, leaseMs: number): Promise<boolean> {
    const { rowCount } = await this.#driver().query(
      `update ${this.#nodes}
        set name = $2, expires_at = now() + $3::float8 * interval '1 ms', is_draining = $4, calls = $5
        where id = $1 and lost_at is null`,
      [id, name, leaseMs, isDraining, calls],
    );
    return rowCount === 1;
  }

  async takeLost(): Promise<readonly string[]> {
    await this.#driver().query(
      `update ${this.#nodes} set lost_at = now() where lost_at is null and expires_at < now()`,
      [],
    );
    const { rows } = await this.#driver().query(`select id from ${this.#nodes} where lost_at is not null`, []);
    return rows.map(({ id }) => String(id));
  }

  async remove(nodeId: string): Promise<void> {
    await this.#driver().query(`delete from ${this.#nodes} where id = $1`, [nodeId]);
  }

  async nodes(): Promise<readonly NodeRecord[]> {
    const { rows } = await this.#driver().query(
      `select id, name, is_draining, calls, started_at, expires_at from ${this.#nodes}
        where lost_at is null order by started_at, id`,
      [],
    );
    return rows.map((row) => ({
      id: String(row.id),
      name: String(row.name),
      isDraining: row.is_draining === true,
      calls: Number(row.calls),
      startedAt: String(row.started_at),
      expiresAt: String(row.expires_at),
    }));
  }

  async holdSeats(nodeId: string, seats: number, limit: number | null): Promise<boolean> {
    const hold = `update ${this.#nodes} set seats = $2 where id = $1 and lost_at is null`;
    if (limit === null) {
      const { rowCount } = await this.#driver().query(hold, [nodeId, seats]);
      return rowCount === 1;
    }
    return await this.#driver().transaction(async (connection) => {
      // A statement sees what was committed before it began: who waits here then sees what those before it took.
      await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [this.#lock]);
      const { rowCount } = await connection.query(
        `${hold} and $2 + (
          select coalesce(sum(seats), 0) from ${this.#nodes} where id <> $1 and lost_at is null
        ) <= $3`,
        [nodeId, seats, limit],
      );
      return rowCount === 1;
    });
  }

  async publish(topic: string, ids: readonly string[]): Promise<void> {
    if (!this.#notifications) return;
    const payloads = payloadsOf(topic, ids);
    if (payloads.length === 0) return;
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

/** As few payloads as there can be. */
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

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

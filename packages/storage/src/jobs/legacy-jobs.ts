import { jobQueues, type NewJob } from '@va/core/adapter';
import type { Driver, SqlConnection } from '../sql/connection.ts';

/** Interval between moves: processes of the earlier version may still send jobs while this one is deployed. */
const moveEveryMs = 30_000;
const batchSize = 1_000;

type InsertJobs = (jobs: readonly NewJob[], connection: SqlConnection) => Promise<void>;

/**
 * Moves jobs out of the schema of pg-boss 10, from which pg-boss 12 cannot migrate. This class has the only SQL on a
 * table of pg-boss: version 12 cannot read the tables of version 10. The old schema stays until the operator drops it,
 * because processes of the earlier version use it until they are stopped.
 */
export class LegacyJobs {
  readonly #schema: string;
  readonly #driver: Driver;
  readonly #insert: InsertJobs;
  #timer: NodeJS.Timeout | null = null;
  #moving: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(schema: string, driver: Driver, insert: InsertJobs) {
    this.#schema = schema;
    this.#driver = driver;
    this.#insert = insert;
  }

  /** Moves all jobs at once, and later ones every 30 s while the old schema exists. */
  async start(): Promise<void> {
    if (await this.#moveAll()) this.#repeat();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#moving;
  }

  #repeat(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#moving = this.#moveAll().then(
        (isThere) => (isThere ? this.#repeat() : undefined),
        // The database is unreachable: the next pass moves what is left.
        () => this.#repeat(),
      );
    }, moveEveryMs);
    this.#timer.unref();
  }

  /** Moves all jobs. Returns false when the old schema does not exist. */
  async #moveAll(): Promise<boolean> {
    const { rows } = await this.#driver.query('select to_regclass($1)::text as name', [`${this.#schema}.job`]);
    if (rows[0]?.name == null) return false;
    while (!this.#isStopped) {
      const moved = await this.#driver.transaction((connection) => this.#moveBatch(connection));
      if (moved < batchSize) break;
    }
    return true;
  }

  /**
   * Moves up to 1,000 jobs and returns their number. A job that a process has taken becomes available when its lease
   * ends.
   */
  async #moveBatch(connection: SqlConnection): Promise<number> {
    const { rows } = await connection.query(
      `delete from "${this.#schema}".job where id = any(array(
          select id from "${this.#schema}".job where name = any($1::text[]) and state < 'completed'
          order by created_on limit ${batchSize} for update skip locked
        ))
        returning id, name, data,
          extract(epoch from greatest(start_after, started_on + expire_in) - now())::float8 * 1000 as after_ms`,
      [[...jobQueues]],
    );
    const jobs = rows.map(({ id, name, data, after_ms: afterMs }) => ({
      id: String(id),
      queue: String(name),
      data: data as NewJob['data'],
      afterMs: Math.max(0, Number(afterMs)),
    }));
    await this.#insert(jobs, connection);
    return rows.length;
  }
}

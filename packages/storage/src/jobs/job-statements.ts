import type { NewJob } from '@va/core';
import { type RawBuilder, sql } from 'kysely';
import type { Step } from '../sql/run.ts';
import { slot } from '../sql/statements.ts';

interface SendInput {
  readonly queues: string;
  readonly ids: string;
  readonly delaysMs: string;
  /** A JSON array of what the jobs have. */
  readonly data: string;
}

interface RemoveInput {
  readonly queue: string;
  readonly ids: string;
}

/** What is the same for all jobs. */
export interface JobTraits {
  /** A job is given back as often as processes die over it. */
  readonly retryLimit: number;
  readonly leaseMs: number;
}

/** How long pg-boss keeps a job that nobody takes. */
const keptFor = sql.raw(`interval '14 days'`);

/**
 * What webhooks are stored and settled by, thousands a second: as pg-boss's `insert` and `deleteJob` do it, but with plans that the server keeps,
 * and without what none of our queues uses. Its own cost the server half as much again.
 */
export class JobStatements {
  readonly #jobs: RawBuilder<unknown>;
  readonly #queues: RawBuilder<unknown>;
  readonly #traits: JobTraits;

  constructor(schema: string, traits: JobTraits) {
    this.#jobs = sql.id(schema, 'job');
    this.#queues = sql.id(schema, 'queue');
    this.#traits = traits;
  }

  /** One whose id is known is left out. */
  send(jobs: readonly NewJob[]): Step<SendInput> {
    return {
      shape: 'jobs.send',
      build: () => this.#sendSql(),
      input: {
        queues: arrayOf(jobs.map(({ queue }) => queue)),
        ids: arrayOf(jobs.map(({ id }) => id)),
        delaysMs: arrayOf(jobs.map(({ afterMs }) => String(Math.max(0, afterMs)))),
        data: JSON.stringify(jobs.map(({ data }) => data)),
      },
    };
  }

  remove(queue: string, ids: readonly string[]): Step<RemoveInput> {
    const build = (): RawBuilder<unknown> => sql`delete from ${this.#jobs}
      where name = ${slot<RemoveInput>((input) => input.queue)}
      and id = any(${slot<RemoveInput>((input) => input.ids)}::uuid[])`;
    return { shape: 'jobs.remove', build, input: { queue, ids: arrayOf(ids) } };
  }

  #sendSql(): RawBuilder<unknown> {
    const { retryLimit, leaseMs } = this.#traits;
    const lease = sql.raw(`interval '${leaseMs} milliseconds'`);
    return sql`insert into ${this.#jobs}
        (id, name, data, start_after, keep_until, expire_in, retry_limit, retry_delay, retry_backoff, policy)
      select given.id, queue.name, given.data, given.start_after, given.start_after + ${keptFor}, ${lease},
        ${sql.raw(String(retryLimit))}, 0, false, queue.policy
      from (
        select name, id, data, now() + delay_ms * interval '1 millisecond' as start_after
        from rows from (
          unnest(${slot<SendInput>((input) => input.queues)}::text[]),
          unnest(${slot<SendInput>((input) => input.ids)}::uuid[]),
          unnest(${slot<SendInput>((input) => input.delaysMs)}::double precision[]),
          jsonb_array_elements(${slot<SendInput>((input) => input.data)}::jsonb)
        ) as given (name, id, delay_ms, data)
      ) as given
      join ${this.#queues} as queue on queue.name = given.name
      on conflict do nothing`;
  }
}

/** Of ids, numbers and the names of queues: none has what would have to be quoted. */
function arrayOf(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}

import { InProcessJobs, type Job, type JobQueue, jobLeaseMs, type NewJob, systemClock } from '@va/core/adapter';

export interface Defect {
  /** Defect of the queue. */
  readonly name: string;
  /** The altered verbs. */
  readonly alter: (sound: JobQueue) => Partial<JobQueue>;
  /** Names of the tests that find it; no others do. */
  readonly foundBy: readonly string[];
}

/** The queue in memory, and a function that ends its leases. */
export function soundQueue(): { queue: JobQueue; endLeases(): Promise<void> } {
  let aheadMs = 0;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
  return {
    queue: new InProcessJobs(clock),
    async endLeases() {
      aheadMs += jobLeaseMs;
    },
  };
}

/** Replaces some verbs of a queue. */
export function altered(sound: JobQueue, alter: Defect['alter']): JobQueue {
  const verbs: JobQueue = {
    send: (jobs, tx) => sound.send(jobs, tx),
    take: (queue, limit) => sound.take(queue, limit),
    settle: (queue, settled, tx) => sound.settle(queue, settled, tx),
    forget: (queue, match, tx) => sound.forget(queue, match, tx),
    stored: (queue, ids) => sound.stored(queue, ids),
    waiting: async (queue) => (await sound.waiting?.(queue)) ?? 0,
  };
  return { ...verbs, ...alter(verbs) };
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const putBack = (queue: string, jobs: readonly Job[]): NewJob[] => jobs.map((job) => ({ queue, ...job, afterMs: 0 }));

/** Queues with one defect each. */
export const defects: readonly Defect[] = [
  {
    name: 'takes jobs in two steps, which gives one job to several takers',
    alter: (sound) => {
      let early: readonly Job[] = [];
      return {
        async take(queue, limit) {
          const taken = await sound.take(queue, limit);
          if (taken.length > 1) early = taken;
          await tick();
          return taken.length > 1 || limit !== 30 ? taken : early.slice(0, 1);
        },
      };
    },
    foundBy: ['gives each due job with its data to one of many takers'],
  },
  {
    name: 'takes more jobs than requested',
    alter: (sound) => ({ take: (queue, limit) => sound.take(queue, limit === 2 ? 3 : limit) }),
    foundBy: ['returns at most the requested number, in the order in which they became due'],
  },
  {
    name: 'returns jobs of other queues',
    alter: (sound) => ({
      async take(queue, limit) {
        const taken = await sound.take(queue, limit);
        return [...taken, ...(await sound.take(queue === 'mails' ? 'webhooks' : 'mails', limit - taken.length))];
      },
    }),
    foundBy: ['returns jobs of the requested queue only'],
  },
  {
    name: 'returns a scheduled job before its time',
    alter: (sound) => ({
      send: (jobs) => sound.send(jobs.map((job) => (job.afterMs === 400 ? { ...job, afterMs: 0 } : job))),
    }),
    foundBy: ['keeps a scheduled job until its time'],
  },
  {
    name: 'does not return a job after its lease has expired',
    alter: (sound) => ({
      async take(queue, limit) {
        const taken = await sound.take(queue, limit);
        await sound.settle(queue, { done: [], again: putBack(queue, taken).map((job) => ({ ...job, afterMs: 1e9 })) });
        return taken;
      },
    }),
    foundBy: ['leaves a job to its taker for the lease, and then gives it to another one'],
  },
  {
    name: 'returns a renewed job to the next taker at once',
    alter: (sound) => ({
      settle: (queue, { done, again }) =>
        sound.settle(queue, {
          done,
          again: again.map((job) => (job.afterMs === jobLeaseMs ? { ...job, afterMs: 0 } : job)),
        }),
    }),
    foundBy: ['renews a lease with a job that replaces itself'],
  },
  {
    name: 'keeps the old data of a job that is replaced',
    alter: (sound) => {
      const known = new Map<string, NewJob['data']>();
      return {
        async send(jobs) {
          for (const { id, data } of jobs) if (!known.has(id)) known.set(id, data);
          await sound.send(jobs);
        },
        settle: (queue, { done, again }) =>
          sound.settle(queue, { done, again: again.map((job) => ({ ...job, data: known.get(job.id) ?? job.data })) }),
      };
    },
    foundBy: ['deletes what is done, and returns replaced jobs with their new data'],
  },
  {
    name: 'settles only jobs that were taken',
    alter: (sound) => {
      const taken = new Set<string>();
      let isSettling = false;
      return {
        async take(queue, limit) {
          const jobs = await sound.take(queue, limit);
          for (const { id } of jobs) taken.add(id);
          return jobs;
        },
        async settle(queue, { done, again }) {
          // Deletes the jobs that a test left behind when it is called again.
          const isAsked = done.length === 1 && again.length === 0 && !taken.has(done[0] ?? '') && !isSettling;
          isSettling = isAsked;
          if (!isAsked) await sound.settle(queue, { done, again });
        },
      };
    },
    foundBy: ['settles a job that was never taken'],
  },
  {
    name: 'replaces a known job that is sent again',
    alter: (sound) => ({
      async send(jobs) {
        for (const job of jobs) await sound.settle(job.queue, { done: [], again: [job] });
      },
    }),
    foundBy: ['skips a known job, taken or not, and a duplicate in a list'],
  },
  {
    name: 'does not report taken jobs as stored',
    alter: (sound) => {
      const taken = new Set<string>();
      return {
        async take(queue, limit) {
          const jobs = await sound.take(queue, limit);
          for (const { id } of jobs) taken.add(id);
          return jobs;
        },
        async settle(queue, settled) {
          for (const { id } of settled.again) taken.delete(id);
          await sound.settle(queue, settled);
        },
        stored: async (queue, ids) => new Set([...(await sound.stored(queue, ids))].filter((id) => !taken.has(id))),
      };
    },
    foundBy: ['tells which jobs are unfinished, taken or scheduled'],
  },
  {
    name: 'counts too few waiting jobs',
    alter: (sound) => ({ waiting: async (queue) => Math.max(0, ((await sound.waiting?.(queue)) ?? 0) - 1) }),
    foundBy: ['counts unfinished jobs by queue, if it supports counts'],
  },
  {
    name: 'forgets jobs that have the text at another key',
    alter: (sound) => ({
      async forget(queue, { key, text }) {
        await sound.forget(queue, { key, text });
        await sound.forget(queue, { key: 'agentId', text });
      },
    }),
    foundBy: ['deletes the jobs with a text at a key, taken or not, and no others'],
  },
];

import { InProcessJobs, jobLeaseMs, systemClock } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { type ActiveJob, JobWorker, type JobWorkerOptions } from '../../src/jobs/job-worker.ts';

const queue = 'webhooks';
const pollEveryMs = 5_000;
const renewEveryMs = 10_000;
const retryAfterMs = 10_000;

/** A worker whose jobs run until the test ends them, on a queue in memory. */
function setUp(options: Partial<JobWorkerOptions> = {}) {
  const clock = new VirtualClock();
  const jobs = new InProcessJobs(clock);
  const begun: ActiveJob[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const warned = vi.fn();
  const failed = vi.fn();
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warned(message) };
  const worker = new JobWorker({
    clock,
    logger,
    jobs,
    queue,
    limit: 2,
    onJobFailed: failed,
    work: async (job) => {
      begun.push(job);
      await new Promise<void>((resolve, reject) => {
        ends.set(job.id, (error) => (error === undefined ? resolve() : reject(error)));
      });
    },
    ...options,
  });
  const store = (id: string, afterMs = 0): Promise<void> => jobs.send([{ queue, id, data: { of: id }, afterMs }]);
  const end = async (id: string, error?: Error): Promise<void> => {
    ends.get(id)?.(error);
    await clock.advance(0);
  };
  const ids = (): string[] => begun.map(({ id }) => id);
  return { clock, jobs, begun, ids, end, warned, failed, worker, store };
}

it('a worker lets many jobs listen for its stop signal without a leak warning', async () => {
  const warned = vi.fn();
  process.on('warning', warned);
  let inFlight = 0;
  const jobs = new InProcessJobs(systemClock);
  const worker = new JobWorker({
    clock: systemClock,
    logger: silentLogger,
    jobs,
    queue: 'of the test',
    limit: 50,
    async work({ signal }) {
      inFlight += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  });
  for (let id = 0; id < 20; id++) worker.begin({ id: `job ${id}`, data: {} });
  await worker.stop(0);
  process.off('warning', warned);

  expect(inFlight).toBe(20);
  expect(warned).not.toHaveBeenCalled();
});

// Security: a job that crashed its process was started again after every restart.
it('a worker counts the attempts of a job that crashes its process', async () => {
  const clock = new VirtualClock();
  const jobs = new InProcessJobs(clock);
  await jobs.send([{ queue: 'poison', id: 'job', data: { callId: 'call' }, afterMs: 0 }]);
  const seen: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const worker = new JobWorker({
      clock,
      logger: silentLogger,
      jobs,
      queue: 'poison',
      limit: 1,
      // Neither settles the job nor returns, as in a process that crashes.
      work: ({ attempts }) => {
        seen.push(attempts);
        return new Promise(() => {});
      },
    });
    worker.start();
    await clock.advance(0);
    await clock.advance(jobLeaseMs / 3 - 1);
    // The process has died: nothing renews the lease.
    clock.setTimer = () => ({ cancel() {} });
    await clock.advance(jobLeaseMs);
    Reflect.deleteProperty(clock, 'setTimer');
  }
  expect(seen).toEqual([2, 3, 4]);
});

describe('begin', () => {
  it('starts the job at once, as its first attempt', async () => {
    const { worker, begun } = setUp();
    worker.begin({ id: 'a', data: { of: 'a' }, group: 'org' });
    expect(begun).toMatchObject([{ id: 'a', data: { of: 'a' }, group: 'org', attempts: 1 }]);
  });

  it('leaves a job to its lease while the limit is reached', async () => {
    const { worker, ids, end, store, clock, jobs } = setUp();
    for (const id of ['a', 'b', 'c']) await store(id, jobLeaseMs);
    for (const id of ['a', 'b', 'c']) worker.begin({ id, data: {} });
    expect(ids()).toEqual(['a', 'b']);

    await end('a');
    await jobs.settle(queue, { done: ['a'], again: [] });
    worker.start();
    await clock.advance(jobLeaseMs - 1);
    expect(ids()).toEqual(['a', 'b']);
    await clock.advance(1);
    expect(ids()).toEqual(['a', 'b', 'c']);
  });

  it('does not start a job twice', () => {
    const { worker, ids } = setUp();
    worker.begin({ id: 'a', data: {} });
    worker.begin({ id: 'a', data: {} });
    expect(ids()).toEqual(['a']);
  });

  it('does nothing once the worker has stopped', async () => {
    const { worker, ids } = setUp();
    await worker.stop(0);
    worker.begin({ id: 'a', data: {} });
    expect(ids()).toEqual([]);
  });
});

describe('start', () => {
  it('takes the stored jobs that are due at once', async () => {
    const { worker, begun, store, clock } = setUp();
    await store('a');
    await store('later', 60_000);
    worker.start();
    await clock.advance(0);
    expect(begun).toMatchObject([{ id: 'a', data: { of: 'a' } }]);
  });

  it('reads the queue every five seconds', async () => {
    const { worker, ids, store, clock } = setUp();
    worker.start();
    await clock.advance(0);
    await store('a');
    await clock.advance(pollEveryMs - 1);
    expect(ids()).toEqual([]);
    await clock.advance(1);
    expect(ids()).toEqual(['a']);
  });

  it('takes no more jobs than there is room for', async () => {
    const { worker, ids, store, clock, jobs } = setUp();
    const take = vi.spyOn(jobs, 'take');
    worker.begin({ id: 'begun', data: {} });
    for (const id of ['a', 'b', 'c']) await store(id);
    worker.start();
    await clock.advance(0);
    expect(ids()).toEqual(['begun', 'a']);
    expect(take.mock.calls).toEqual([[queue, 1]]);

    await clock.advance(pollEveryMs);
    expect(take).toHaveBeenCalledTimes(1);
  });

  it('goes on after the queue could not be read', async () => {
    const { worker, ids, store, clock, jobs, warned } = setUp();
    vi.spyOn(jobs, 'take').mockRejectedValueOnce(new Error('no database'));
    await store('a');
    worker.start();
    await clock.advance(0);
    expect(ids()).toEqual([]);
    expect(warned.mock.calls).toEqual([['failed to fetch stored jobs']]);
    await clock.advance(pollEveryMs);
    expect(ids()).toEqual(['a']);
  });

  it('does not start a job whose attempt could not be stored, and takes it when its lease ends', async () => {
    const { worker, ids, store, clock, jobs, warned } = setUp();
    vi.spyOn(jobs, 'settle').mockRejectedValueOnce(new Error('no database'));
    await store('a');
    worker.start();
    await clock.advance(0);
    expect(ids()).toEqual([]);
    expect(warned.mock.calls).toEqual([['failed to store the attempt of a job']]);
    await clock.advance(jobLeaseMs - 1);
    expect(ids()).toEqual([]);
    await clock.advance(1);
    expect(ids()).toEqual(['a']);
  });
});

describe('the lease of a job in progress', () => {
  async function taken() {
    const my = setUp();
    await my.store('a');
    my.worker.start();
    await my.clock.advance(0);
    return my;
  }

  it('is renewed, so that no other process takes the job', async () => {
    const { clock, jobs, ids, begun } = await taken();
    await clock.advance(10 * jobLeaseMs);
    expect(await jobs.take(queue, 1)).toEqual([]);
    expect(ids()).toEqual(['a']);
    expect(begun[0]?.attempts).toBe(2);
  });

  it('keeps the number of the attempt when it is renewed', async () => {
    const { clock, jobs } = await taken();
    await clock.advance(renewEveryMs + 1);
    clock.block(jobLeaseMs);
    expect(await jobs.take(queue, 1)).toMatchObject([{ id: 'a', data: { of: 'a', begun: 2 } }]);
  });

  it('survives one renewal that fails', async () => {
    const { clock, jobs, warned } = await taken();
    vi.spyOn(jobs, 'settle').mockRejectedValueOnce(new Error('no database'));
    await clock.advance(jobLeaseMs);
    expect(warned.mock.calls).toEqual([['failed to renew the lease of a job']]);
    expect(await jobs.take(queue, 1)).toEqual([]);
  });

  it('is not renewed after release', async () => {
    const { clock, jobs, begun } = await taken();
    await begun[0]?.release();
    await jobs.settle(queue, { done: ['a'], again: [] });
    await clock.advance(2 * jobLeaseMs);
    expect(await jobs.stored(queue, ['a'])).toEqual(new Set());
  });

  it('is settled by the job after a renewal in flight, which release waits for', async () => {
    const { clock, jobs, begun } = await taken();
    let renew = (): void => {};
    const settle = jobs.settle.bind(jobs);
    vi.spyOn(jobs, 'settle').mockImplementationOnce(async (name, settled) => {
      await new Promise<void>((resolve) => {
        renew = resolve;
      });
      await settle(name, settled);
    });
    await clock.advance(renewEveryMs);
    let isReleased = false;
    void begun[0]?.release().then(() => {
      isReleased = true;
    });
    await clock.advance(0);
    expect(isReleased).toBe(false);
    renew();
    await clock.advance(0);
    expect(isReleased).toBe(true);
  });

  it('ends with the job', async () => {
    const { clock, jobs, end } = await taken();
    const settle = vi.spyOn(jobs, 'settle');
    await end('a');
    await clock.advance(renewEveryMs);
    expect(settle).not.toHaveBeenCalled();
  });
});

describe('a job that throws', () => {
  it('is started again after ten seconds, as another attempt', async () => {
    const { worker, begun, end, store, clock } = setUp();
    await store('a');
    worker.start();
    await clock.advance(0);
    await end('a', new Error('refused'));
    await clock.advance(retryAfterMs - 1);
    expect(begun).toHaveLength(1);
    await clock.advance(1);
    expect(begun.map(({ id, attempts }) => [id, attempts])).toEqual([
      ['a', 2],
      ['a', 3],
    ]);
  });

  it('is reported to onJobFailed with its queue', async () => {
    const { worker, end, failed } = setUp();
    worker.begin({ id: 'a', data: {} });
    await end('a', new Error('refused'));
    expect(failed.mock.calls).toEqual([[queue]]);
  });

  it('is started again when its lease ends if it cannot be returned to the queue', async () => {
    const { worker, begun, end, store, clock, jobs, warned } = setUp();
    await store('a');
    worker.start();
    await clock.advance(0);
    vi.spyOn(jobs, 'settle').mockRejectedValueOnce(new Error('no database'));
    await end('a', new Error('refused'));
    expect(warned.mock.calls).toEqual([['failed to return a job to the queue']]);
    await clock.advance(jobLeaseMs - 1);
    expect(begun).toHaveLength(1);
    await clock.advance(1);
    expect(begun).toHaveLength(2);
  });

  it('makes room for another job', async () => {
    const { worker, ids, end } = setUp({ limit: 1 });
    worker.begin({ id: 'a', data: {} });
    await end('a', new Error('refused'));
    worker.begin({ id: 'b', data: {} });
    expect(ids()).toEqual(['a', 'b']);
  });
});

describe('settled', () => {
  it('resolves once the jobs in progress have ended, also those begun meanwhile', async () => {
    const { worker, end, clock } = setUp();
    worker.begin({ id: 'a', data: {} });
    let isSettled = false;
    void worker.settled().then(() => {
      isSettled = true;
    });
    worker.begin({ id: 'b', data: {} });
    await end('a');
    expect(isSettled).toBe(false);
    await end('b');
    await clock.advance(0);
    expect(isSettled).toBe(true);
  });

  it('resolves at once without jobs', async () => {
    await expect(setUp().worker.settled()).resolves.toBeUndefined();
  });
});

describe('stop', () => {
  it('lets the jobs in progress end, and takes no more', async () => {
    const { worker, begun, ids, end, store, clock } = setUp();
    worker.start();
    worker.begin({ id: 'a', data: {} });
    const stopping = worker.stop(60_000);
    await store('b');
    await clock.advance(59_999);
    expect(ids()).toEqual(['a']);
    expect(begun[0]?.signal.aborted).toBe(false);
    await end('a');
    await stopping;
    expect(clock.pending).toBe(0);
  });

  it('aborts the jobs that are in progress after the time to drain', async () => {
    const { worker, begun, end, clock } = setUp();
    worker.begin({ id: 'a', data: {} });
    const stopping = worker.stop(60_000);
    await clock.advance(60_000);
    expect(begun[0]?.signal.aborted).toBe(true);
    await end('a');
    await stopping;
  });

  it('waits for a read of the queue, and does not start the jobs that it returns', async () => {
    const { worker, ids, store, clock, jobs } = setUp();
    await store('a');
    let answer = (): void => {};
    const take = jobs.take.bind(jobs);
    vi.spyOn(jobs, 'take').mockImplementationOnce(async (name, limit) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return await take(name, limit);
    });
    worker.start();
    await clock.advance(0);
    let isStopped = false;
    const stopping = worker.stop(0).then(() => {
      isStopped = true;
    });
    await clock.advance(0);
    expect(isStopped).toBe(false);
    answer();
    await clock.advance(0);
    await stopping;
    expect(ids()).toEqual([]);
    await clock.advance(jobLeaseMs);
    expect(await jobs.take(queue, 1)).toMatchObject([{ id: 'a' }]);
  });
});

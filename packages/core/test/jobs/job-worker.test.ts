import { InProcessJobs, jobLeaseMs, systemClock } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { expect, it, vi } from 'vitest';
import { JobWorker } from '../../src/jobs/job-worker.ts';

it('lets many jobs in progress listen for the stop signal without a leak warning', async () => {
  const warned = vi.fn();
  process.on('warning', warned);
  let inFlight = 0;
  const jobs = new InProcessJobs(systemClock);
  const worker = new JobWorker({
    ...{ clock: systemClock, logger: silentLogger, jobs, queue: 'of the test', limit: 50 },
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
it('counts the attempts of a job that crashes its process', async () => {
  const clock = new VirtualClock();
  const jobs = new InProcessJobs(clock);
  await jobs.send([{ queue: 'poison', id: 'job', data: { callId: 'call' }, afterMs: 0 }]);
  const seen: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const worker = new JobWorker({
      ...{ clock, logger: silentLogger, jobs, queue: 'poison', limit: 1 },
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

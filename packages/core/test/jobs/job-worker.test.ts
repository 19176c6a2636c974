import { InProcessJobs, systemClock } from '@va/core';
import { silentLogger } from '@va/testkit';
import { expect, it, vi } from 'vitest';
import { JobWorker } from '../../src/jobs/job-worker.ts';

it('has as many jobs listen for its end as are in hand, without a warning of a leak', async () => {
  const warned = vi.fn();
  process.on('warning', warned);
  let inHand = 0;
  const jobs = new InProcessJobs(systemClock);
  const worker = new JobWorker({
    ...{ clock: systemClock, logger: silentLogger, jobs, queue: 'of the test', limit: 50 },
    async work({ signal }) {
      inHand += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  });
  for (let id = 0; id < 20; id++) worker.begin({ id: `job ${id}`, data: {} });
  await worker.stop(0);
  process.off('warning', warned);

  expect(inHand).toBe(20);
  expect(warned).not.toHaveBeenCalled();
});

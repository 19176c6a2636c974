import { PgBoss } from 'pg-boss';
import { post } from './bare-requests.ts';
import { bodyOf } from './body.ts';
import { batch, deliveries } from './settings.ts';

const queue = 'bare';

/** pg-boss as in its documentation: insert, fetch, a request for each job, complete. No signature, log or order. */
export async function bareBoss(
  connectionString: string,
): Promise<{ deliver(urls: readonly string[]): Promise<void>; clear(): Promise<void>; close(): Promise<void> }> {
  const boss = new PgBoss({ connectionString, schema: 'bare_boss', max: 10, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(queue);

  async function send(urls: readonly string[]): Promise<void> {
    for (let n = 0; n < deliveries; n += batch) {
      const jobs = Array.from({ length: batch }, (_, m) => ({
        name: queue,
        data: { url: urls[(n + m) % urls.length] ?? '', body: bodyOf(n + m) },
      }));
      await boss.insert(queue, jobs);
    }
  }

  async function work(): Promise<void> {
    for (let done = 0; done < deliveries; ) {
      const jobs = await boss.fetch<{ url: string; body: string }>(queue, { batchSize: batch });
      await Promise.all(jobs.map(({ data }) => post(data.url, data.body)));
      if (jobs.length > 0) {
        const ids = jobs.map(({ id }) => id);
        await boss.complete(queue, ids);
      }
      done += jobs.length;
    }
  }

  return {
    async deliver(urls) {
      await Promise.all([send(urls), work()]);
    },
    clear: async () => void (await boss.deleteAllJobs(queue)),
    close: () => boss.stop({ graceful: false }),
  };
}

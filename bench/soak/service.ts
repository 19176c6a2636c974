import { memory } from '@va/storage/memory';
import { startBenchService } from '../support/bench-service.ts';
import { forgetfulLlm, forgetfulStt, forgetfulTts } from './forgetful-speech.ts';
import { type InsideFigures, number } from './settings.ts';

/** The service's process. It answers any message with its memory and resources. */
const storage = memory();
const { orgId, target } = await startBenchService({
  ...{ number, endpointingMs: 200, interruptionMs: 200, storage },
  providers: [forgetfulStt(), forgetfulTts(), forgetfulLlm()],
});

/**
 * Interval at which old records are deleted: the storage is in the heap here, and only what calls leave elsewhere is of
 * interest.
 */
const sweepMs = 5_000;
const isOver = { status: { in: ['ended', 'failed'] } } as const;
async function sweep(): Promise<void> {
  for (const { id } of await storage.calls.list(orgId, { where: isOver, limit: 1_000 })) {
    await storage.calls.delete(orgId, id);
  }
  for (const kept of [storage.usageLogs, storage.callEvents]) {
    for (const { id } of await kept.list(orgId, { limit: 10_000 })) await kept.delete(orgId, id);
  }
}
setInterval(() => void sweep(), sweepMs);

process.on('message', () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const figures: InsideFigures = { heapMb: heapUsed / 1_048_576, rssMb: rss / 1_048_576, resources };
  process.send?.(figures);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port: Number(target.split(':').at(-1)) });

import { memory } from '@va/storage/memory';
import { startBenchService } from '../support/bench-service.ts';
import { type InsideFigures, number } from './settings.ts';

/** The service in a process of its own: asked for anything, it tells what it holds. */
const storage = memory();
const { va, orgId, target } = await startBenchService({
  ...{ number, endpointingMs: 200, interruptionMs: 200, storage },
  turns: Array.from({ length: 100 }, (_, turn) => (turn % 4 === 2 ? 'story' : 'turn')),
  reply: 'Okay, I have made a note.',
});

/** Calls of the past are the storage's, here the heap's: what is looked at is what calls leave behind elsewhere. */
const keptMs = 5_000;
va.events.on('call.ended', ({ call }) => {
  setTimeout(() => void storage.calls.delete(orgId, call.id), keptMs);
});

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

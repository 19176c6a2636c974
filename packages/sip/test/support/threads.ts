import type { Worker } from 'node:worker_threads';
import { vi } from 'vitest';

const threads: Worker[] = [];

/** Records the threads that this process starts from now on. */
export function watchThreads(): void {
  process.on('worker', (thread) => threads.push(thread));
}

/** Ends the thread started last, as a crash would; waits until there is one. */
export async function killThread(): Promise<void> {
  const thread = await vi.waitUntil(() => threads.pop());
  await thread.terminate();
}

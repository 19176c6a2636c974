import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

const threads = new Set<Worker>();

/** Observes the threads that this process starts from now on. */
export function watchThreads(): void {
  process.on('worker', (thread) => {
    threads.add(thread);
    thread.once('exit', () => threads.delete(thread));
  });
}

/** Ends all observed threads, as a crash would; waits until there is one. */
export async function killThreads(): Promise<void> {
  // Node reports a thread after the code that started it.
  do await setImmediate();
  while (threads.size === 0);
  await Promise.all([...threads].map((thread) => thread.terminate()));
}

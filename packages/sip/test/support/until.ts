import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 5;

/** Waits until a condition holds; throws after a time limit. */
export async function until(holds: () => boolean, what: string, timeoutMs = 10_000): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  while (!holds()) {
    if (Date.now() > deadlineMs) throw new Error(`timed out waiting until ${what}`);
    await delay(pollMs);
  }
}

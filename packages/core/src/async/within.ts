import type { Clock } from '../ports/clock.ts';

/**
 * Waits for work up to `limitMs`. Resolves to null if the limit passes or `signal` aborts first; the work continues.
 * Rejects if the work rejects in time.
 */
export async function within<T>(
  limitMs: number,
  clock: Clock,
  work: Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  let giveUp: () => void = () => {};
  const given = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
  });
  const timer = clock.setTimer(limitMs, giveUp);
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted) giveUp();
  try {
    return await Promise.race([work, given]);
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', giveUp);
  }
}

import type { Clock } from '@va/core/adapter';

/** Resolves when the work is done, after `limitMs`, or on abort, whichever is first. Leaves no timer or listener. */
export function raceTimeout(clock: Clock, work: Promise<void>, limitMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.setTimer(limitMs, end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    void work.then(end, end);
  });
}

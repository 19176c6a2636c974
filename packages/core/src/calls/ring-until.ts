import type { Clock } from '../ports/clock.ts';

/** Longest wait for the first message: one that takes longer is spoken later. */
const greetingLimitMs = 1_000;

/**
 * Resolves when the first message is ready, the limit is reached or `signal` aborts. A caller rather hears it ring a moment
 * longer than a line on which nobody speaks.
 */
export async function ringUntil(ready: Promise<void>, clock: Clock, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', go);
      resolve();
    };
    const timer = clock.setTimer(greetingLimitMs, go);
    signal.addEventListener('abort', go, { once: true });
    void ready.then(go);
  });
}

import type { Clock } from '../ports/clock.ts';

/** What the work gives, or null where it is not done by then; it goes on all the same. Rejects where it does in time. */
export async function within<T>(limitMs: number, clock: Clock, work: Promise<T>): Promise<T | null> {
  let giveUp: () => void = () => {};
  const late = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
  });
  const timer = clock.setTimer(limitMs, giveUp);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.cancel();
  }
}

import type { RandomBytes } from '@va/core/adapter';

const firstMs = 5_000;
const longestMs = 300_000;

/**
 * Returns the delay after a number of consecutive failures: doubled each time up to five minutes, and randomly reduced
 * by up to half, so that the clients of a failing provider do not all return at once.
 */
export function backoffMs(failures: number, random: RandomBytes): number {
  const fullMs = Math.min(longestMs, firstMs * 2 ** Math.min(16, Math.max(0, failures - 1)));
  const [share = 0] = random(1);
  return Math.round(fullMs * (1 - share / 510));
}

import type { RandomBytes } from '@va/core';

const firstMs = 5_000;
const longestMs = 300_000;

/**
 * How long to wait after that many failures in a row: twice as long each time up to five minutes, and by chance up to
 * half of it less, so that the clients of a provider that fails do not all come back at once.
 */
export function backoffMs(failures: number, random: RandomBytes): number {
  const fullMs = Math.min(longestMs, firstMs * 2 ** Math.min(16, Math.max(0, failures - 1)));
  const [share = 0] = random(1);
  return Math.round(fullMs * (1 - share / 510));
}

import { systemClock } from '@va/core/adapter';
import { silentLogger, type VirtualClock } from '@va/testkit';

/** Options that every `open` and `stream` of a provider accepts in addition to its configuration. */
export function common(signal: AbortSignal = new AbortController().signal) {
  return { signal, clock: systemClock, logger: silentLogger };
}

/** Advances virtual time in steps between which sockets are read, so that pings are answered. */
export async function pass(clock: VirtualClock, durationMs: number): Promise<void> {
  for (let rest = durationMs; rest > 0; rest -= 4_000) {
    await clock.advance(Math.min(rest, 4_000));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Resolves once `condition` holds; fails the test by its time limit otherwise. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

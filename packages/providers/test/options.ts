import { systemClock } from '@va/core';
import { silentLogger } from '@va/testkit';

/** What every `open` and `stream` of a provider takes beside its configuration. */
export function common(signal: AbortSignal = new AbortController().signal) {
  return { signal, clock: systemClock, logger: silentLogger };
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

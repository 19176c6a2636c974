import { type Logger, systemClock } from '@va/core';

const logger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => logger,
};

/** What every `open` and `stream` of a provider takes beside its configuration. */
export function common(signal: AbortSignal = new AbortController().signal) {
  return { signal, clock: systemClock, logger };
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

import { systemClock } from '@va/core/adapter';
import { silentLogger } from '@va/testkit';

/** Options that every `open` and `stream` of a provider accepts in addition to its configuration. */
export function common(signal: AbortSignal = new AbortController().signal) {
  return { signal, clock: systemClock, logger: silentLogger };
}

export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

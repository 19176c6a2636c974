/**
 * Returns a signal that aborts with either of two, and a function that removes its listeners, so that the longer-lived
 * signal does not keep it alive.
 */
export function linkSignals(first: AbortSignal, second: AbortSignal): { signal: AbortSignal; release: () => void } {
  const aborter = new AbortController();
  const abort = (): void => aborter.abort();
  for (const source of [first, second]) {
    if (source.aborted) abort();
    source.addEventListener('abort', abort);
  }
  const release = (): void => {
    for (const source of [first, second]) source.removeEventListener('abort', abort);
  };
  return { signal: aborter.signal, release };
}

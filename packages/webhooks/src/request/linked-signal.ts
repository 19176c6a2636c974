/**
 * A signal that aborts with either of two, and the function that lets go of them: the longer-lived one keeps no trace.
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

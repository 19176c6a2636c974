import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatDuration } from '../../../ui/values/format.ts';

/** Returns the whole seconds since an instant in milliseconds; re-renders each second. */
export function useSecondsSince(sinceMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [sinceMs]);
  return Math.max(0, Math.floor((nowMs - sinceMs) / 1_000));
}

/** The time since an instant: `3:05`. */
export function Elapsed({ since }: { readonly since: string }): JSX.Element {
  return <time class="elapsed">{formatDuration(useSecondsSince(Date.parse(since)))}</time>;
}

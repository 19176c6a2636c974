import { useEffect, useRef, useState } from 'preact/hooks';

/** Follows a value that changes often: at once at first, then at most once within `everyMs`, the last change too. */
export function useSlowly<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const changedAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (Object.is(value, shown)) return;
    const restMs = Math.max(0, changedAtMs.current + everyMs - performance.now());
    const timer = setTimeout(() => {
      changedAtMs.current = performance.now();
      setShown(value);
    }, restMs);
    return () => clearTimeout(timer);
  }, [value, shown]);
  return shown;
}

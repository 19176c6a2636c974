import { useEffect, useRef, useState } from 'preact/hooks';

/** Throttles a value: the first at once, then at most one per `everyMs`, including the last change. */
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

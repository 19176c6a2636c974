import { useEffect, useRef } from 'preact/hooks';

const refreshMs = 15_000;

/** Calls a function every 15 s while the document is visible. */
export function useRefresh(refresh: () => void): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, refreshMs);
    return () => clearInterval(timer);
  }, []);
}

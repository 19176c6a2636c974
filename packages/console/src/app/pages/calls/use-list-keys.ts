import { useEffect, useRef } from 'preact/hooks';

export interface ListKeys {
  /** `j` and `k`. */
  readonly onMove: (step: 1 | -1) => void;
  /** `/`. */
  readonly onSearch: () => void;
}

/** Keys of a list, outside of fields and dialogs. */
export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'j') latest.current.onMove(1);
      else if (event.key === 'k') latest.current.onMove(-1);
      else if (event.key === '/') latest.current.onSearch();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

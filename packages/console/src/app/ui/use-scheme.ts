import { useEffect, useState } from 'preact/hooks';
import { onSchemeChange } from './colours.ts';

/** Returns a counter of colour-scheme changes, as a dependency of canvas drawing. */
export function useScheme(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => onSchemeChange(() => setChanges((before) => before + 1)), []);
  return changes;
}

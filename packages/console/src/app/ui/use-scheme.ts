import { useEffect, useState } from 'preact/hooks';
import { onSchemeChange } from './colours.ts';

/** Counts the changes between light and dark, at which a canvas is drawn again. */
export function useScheme(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => onSchemeChange(() => setChanges((before) => before + 1)), []);
  return changes;
}

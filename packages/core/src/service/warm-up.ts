import { spokenSegments } from '@va/language';
import { ambientLoop } from '@va/media';

/** Work that is slow on first use. */
const pieces: readonly (() => unknown)[] = [
  ...['en', 'nl', 'de', 'fr', 'es'].map(
    (language) => () => spokenSegments('1', { language, normalize: true, pronunciations: [] }),
  ),
  ...(['office', 'cafe', 'static'] as const).map((sound) => () => ambientLoop(sound)),
];

/**
 * Does the slow first-use work in advance, so that the first call does not wait for it: builds the language rules and
 * the ambient sounds. Yields to the event loop between pieces. Returns a function that stops it.
 */
export function warmUp(): () => void {
  let next = 0;
  let immediate: NodeJS.Immediate | null = null;
  const go = (): void => {
    pieces[next]?.();
    next += 1;
    immediate = next < pieces.length ? setImmediate(go) : null;
  };
  immediate = setImmediate(go);
  return () => {
    if (immediate !== null) clearImmediate(immediate);
  };
}

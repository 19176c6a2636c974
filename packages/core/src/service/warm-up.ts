import { spokenSegments } from '@va/language';
import { ambientLoop } from '@va/media';

/** Functions that are slow on first use. */
const pieces: readonly (() => unknown)[] = [
  ...['en', 'nl', 'de', 'fr', 'es'].map(
    (language) => () => spokenSegments('1', { language, normalize: true, pronunciations: [] }),
  ),
  ...(['office', 'cafe', 'static'] as const).map((sound) => () => ambientLoop(sound)),
];

/**
 * Builds the language rules and the ambient sounds in advance, so that the first call does not wait for them. Yields to
 * the event loop between pieces. Returns a function that stops the work.
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

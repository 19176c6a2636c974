import { ambientLoop } from '@va/media';
import { spokenSegments } from '../conversation/text/spoken.ts';

/** What takes long when it is used for the first time, piece by piece. */
const pieces: readonly (() => unknown)[] = [
  ...['en', 'nl', 'de', 'fr', 'es'].map(
    (language) => () => spokenSegments('1', { language, normalize: true, pronunciations: [] }),
  ),
  ...(['office', 'cafe', 'static'] as const).map((sound) => () => ambientLoop(sound)),
];

/**
 * Does now what the first call would have to wait for: rules of languages are built, and rooms are made. Between two
 * pieces everything else has its turn. Returns what stops it.
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

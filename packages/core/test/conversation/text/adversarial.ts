import { expect } from 'vitest';

const size = 100_000;

/** Texts of 100 KB on which a careless pattern goes quadratic. */
export const adversarialTexts: readonly (readonly [string, string])[] = [
  'a',
  '.',
  ' ',
  '\n',
  '1',
  '1.',
  '1,',
  '1-',
  '0 ',
  '(',
  '[',
  '[a](',
  '"',
  '`',
  '*',
  '_a',
  '# ',
  '| a ',
  '```',
  '... ',
  'e.g. ',
  'a.',
  'a@',
  'a@b.',
  'http://',
  '(http://a.',
  'www.',
  '+1 ',
  '€1',
  '€',
  '-',
  'A',
  'AB12 ',
  'A.',
  '👩‍',
  '🇳🇱',
  'ja ',
  'mm-',
  'uh huh ',
  'one two ',
  'at dot ',
  ', ',
  ' and ',
  '<a',
].map((piece) => [JSON.stringify(piece), piece.repeat(Math.ceil(size / piece.length))]);

/** The best of a few runs, so that a busy machine does not count. */
export function under(limitMs: number, run: () => unknown): void {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4 && best > limitMs; attempt += 1) {
    const startMs = performance.now();
    run();
    best = Math.min(best, performance.now() - startMs);
  }
  expect(best).toBeLessThan(limitMs);
}

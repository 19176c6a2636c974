import { expect } from 'vitest';

const size = 100_000;

/** Texts of 100 KB on which a careless pattern takes quadratic time. */
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

/** Tolerance for a busy machine, in processor time. Quadratic patterns take a hundred times as long. */
const busyFactor = 5;

/** Asserts the best processor time of up to four runs against a limit for an idle machine. */
export function under(limitMs: number, run: () => unknown): void {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4 && best > limitMs; attempt += 1) {
    const before = process.cpuUsage();
    run();
    const used = process.cpuUsage(before);
    best = Math.min(best, (used.user + used.system) / 1_000);
  }
  expect(best).toBeLessThan(limitMs * busyFactor);
}

import { expect } from 'vitest';

/** Length of the long text, and the number of short texts that have the same length together. */
const longLength = 40_000;
const shortTexts = 16;

/** Names and texts whose repetition makes a careless pattern take quadratic time. */
export const adversarialPieces: readonly (readonly [string, string])[] = [
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
  '1 000 ',
  '1\u00a0000\u00a0',
  'a://b',
  'a://b:c@',
  '2024-01-15T10:30',
  ' .5',
].map((piece) => [JSON.stringify(piece), piece]);

/** Allowed growth of the time per character. It is about 1 if the time is linear, and `shortTexts` if quadratic. */
const allowedGrowth = 5;
/** Processor time below which a measurement says nothing about growth. */
const resolutionMs = 3;

/**
 * Asserts that `run` takes linear time: one long text takes hardly longer than short texts of the same length together.
 * Compares processor times, the best of up to six runs of each, so that neither the speed nor the load of
 * the machine matters.
 */
export function expectLinear(piece: string, run: (text: string) => unknown): void {
  const long = filled(piece, longLength);
  const short = filled(piece, longLength / shortTexts);
  let longMs = Number.POSITIVE_INFINITY;
  let shortMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 6 && longMs >= allowedGrowth * shortMs + resolutionMs; attempt += 1) {
    shortMs = Math.min(
      shortMs,
      processorMs(() => {
        for (let count = 0; count < shortTexts; count += 1) run(short);
      }),
    );
    longMs = Math.min(
      longMs,
      processorMs(() => run(long)),
    );
  }
  expect(longMs).toBeLessThan(allowedGrowth * shortMs + resolutionMs);
}

function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length));
}

function processorMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1_000;
}

import { expect, it } from 'vitest';

/** Loaded untyped: types of Preact would add those of the DOM. */
const source = '../../src/app/data/use-stream.ts';
const { worstOf }: { worstOf: (...states: readonly string[]) => string } = await import(source);

it.each([
  [[], 'open'],
  [['open', 'open'], 'open'],
  [['open', 'connecting'], 'connecting'],
  [['connecting', 'broken', 'open'], 'broken'],
  [['broken', 'lost', 'connecting'], 'lost'],
])('worstOf › is of %j %j', (states, worst) => {
  expect(worstOf(...states)).toBe(worst);
});

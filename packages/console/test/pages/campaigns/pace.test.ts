// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { type CallsSample, paceOf, withSample } from '../../../src/app/pages/campaigns/pace.ts';

const samples = (...pairs: readonly (readonly [atMs: number, calls: number])[]): readonly CallsSample[] =>
  pairs.reduce<readonly CallsSample[]>((all, [atMs, calls]) => withSample(all, { atMs, calls }), []);

it.each([
  ['no sample', samples(), null],
  ['one sample', samples([0, 5]), null],
  ['less than five seconds', samples([0, 5], [4_999, 9]), null],
  ['five seconds', samples([0, 5], [5_000, 6]), 12],
  ['a pause', samples([0, 5], [60_000, 5]), 0],
  ['samples beyond the window of three minutes', samples([0, 0], [180_001, 90], [240_001, 100]), 10],
])('paceOf › returns calls per minute for %s', (_, all, expected) => {
  expect(paceOf(all)).toBe(expected);
});

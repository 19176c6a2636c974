import { expect, it } from 'vitest';
import { faultIn } from '../../src/shared/faults/fault-table.ts';

it.each([
  ['quota_exceeded', 'quota'],
  ['unknown', undefined],
  ['', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
  [undefined, undefined],
  [null, undefined],
  [7, undefined],
])('faultIn of the name %j is %s', (name, expected) => {
  expect(faultIn({ quota_exceeded: 'quota' }, name)).toBe(expected);
});

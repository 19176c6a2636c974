import { expect, it } from 'vitest';
import { faultOfStatus } from '../../src/shared/faults/http-fault.ts';

it.each([
  [400, 'invalid_request'],
  [401, 'auth'],
  [402, 'quota'],
  [403, 'auth'],
  [404, 'invalid_request'],
  [408, 'timeout'],
  [422, 'invalid_request'],
  [429, 'unavailable'],
  [500, 'unavailable'],
  [503, 'unavailable'],
  [504, 'timeout'],
  [529, 'unavailable'],
])('faultOfStatus %i is %s', (status, fault) => {
  expect(faultOfStatus(status)).toBe(fault);
});

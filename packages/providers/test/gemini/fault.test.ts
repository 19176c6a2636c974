import { expect, it } from 'vitest';
import { faultOf } from '../../src/gemini/fault.ts';

it.each([
  [1007, 'API key not valid. Please pass a valid API key.', 'auth'],
  [1007, 'Request contains an invalid argument.', 'invalid_request'],
  [1008, 'models/x is not found', 'invalid_request'],
  [1008, 'Your API key was reported as leaked.', 'auth'],
  [1008, 'The caller does not have permission', 'auth'],
  [1011, 'You exceeded your current quota, please check your plan and billing details.', 'quota'],
  [1011, 'Internal error encountered.', 'unavailable'],
  [1000, '', 'connection'],
  [1006, '', 'connection'],
  [undefined, '', 'connection'],
])('faultOf the close code %s with %j is %s', (closeCode, message, expected) => {
  const loss = { fault: 'connection', message, ...(closeCode !== undefined && { closeCode }) } as const;
  expect(faultOf(loss)).toBe(expected);
});

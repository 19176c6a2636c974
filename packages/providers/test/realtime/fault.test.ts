import { describe, expect, it } from 'vitest';
import { isRetryable, readReportedError } from '../../src/realtime/fault.ts';

describe('readReportedError', () => {
  it.each([
    [{ code: 'invalid_api_key', type: 'invalid_request_error', message: 'no' }, 'auth', 'no'],
    [{ code: 'insufficient_quota', message: 'pay' }, 'quota', 'pay'],
    [{ code: 'session_expired', message: 'over' }, 'connection', 'over'],
    [{ code: 'unknown_code', type: 'server_error', message: '' }, 'unavailable', 'unknown_code'],
    [{ type: 'invalid_request_error' }, 'invalid_request', 'invalid_request_error'],
    [{ code: 'constructor' }, 'unavailable', 'constructor'],
    [{ code: 7, type: {}, message: ['x'] }, 'unavailable', 'an error without a message'],
    [null, 'unavailable', 'an error without a message'],
    ['text', 'unavailable', 'an error without a message'],
  ])('classifies %j as %s', (error, fault, message) => {
    expect(readReportedError(error)).toMatchObject({ fault, message });
  });

  it('has the id of the client event', () => {
    expect(readReportedError({ event_id: 'commit-1' }).eventId).toBe('commit-1');
    expect(readReportedError({ event_id: null }).eventId).toBeUndefined();
  });
});

it.each([
  ['timeout', true],
  ['connection', true],
  ['unavailable', true],
  ['auth', false],
  ['quota', false],
  ['invalid_request', false],
  ['protocol', false],
] as const)('isRetryable of %s is %s', (fault, expected) => {
  expect(isRetryable(fault)).toBe(expected);
});

import { describe, expect, it } from 'vitest';
import { toProviderError } from '../../src/resend/fault.ts';

describe('toProviderError of resend', () => {
  it.each([
    ['missing_api_key', 400, 'auth'],
    ['restricted_api_key', 401, 'auth'],
    ['daily_quota_exceeded', 429, 'quota'],
    ['monthly_quota_exceeded', 429, 'quota'],
    ['rate_limit_exceeded', 429, 'unavailable'],
    ['validation_error', 422, 'invalid_request'],
    ['not_found', 404, 'invalid_request'],
    ['application_error', 500, 'unavailable'],
    ['constructor', 404, 'invalid_request'],
  ])('maps %s with %i to %s', (name, statusCode, fault) => {
    expect(toProviderError({ name, message: 'No.', statusCode })).toMatchObject({ fault, status: statusCode });
  });

  it.each([
    [401, 'auth'],
    [408, 'timeout'],
    [429, 'unavailable'],
    [503, 'unavailable'],
    [504, 'timeout'],
    [null, 'connection'],
    [undefined, 'protocol'],
    ['500', 'protocol'],
    [500.5, 'protocol'],
  ])('maps the status %j of a proxy to %s', (statusCode, fault) => {
    expect(toProviderError({ name: 'unknown', message: 'No.', statusCode }).fault).toBe(fault);
  });

  it('has the message of the service', () => {
    expect(toProviderError({ name: 'x', message: 'The domain is invalid.', statusCode: 422 }).message).toContain(
      'The domain is invalid.',
    );
  });

  it.each([[null], ['text'], [[]], [{}], [{ name: 7, message: 7 }]])('returns a protocol error for %j', (error) => {
    expect(toProviderError(error)).toMatchObject({ fault: 'protocol', message: expect.stringContaining('an error') });
  });
});

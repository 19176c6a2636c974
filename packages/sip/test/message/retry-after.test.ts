import { describe, expect, it } from 'vitest';
import { readRetryAfterMs } from '../../src/message/retry-after.ts';
import { parsedResponse } from '../support/messages.ts';

describe('readRetryAfterMs (RFC 3261 §20.33)', () => {
  it.each([
    ['120', 120_000],
    [' 5 ;duration=3600', 5_000],
    ['18000 (in a meeting)', 18_000_000],
    ['0', 0],
    ['soon', null],
    ['-1', null],
    ['1.5', null],
    ['9999999999', null],
  ])('reads %j as %s ms', (value, expected) => {
    expect(readRetryAfterMs(parsedResponse(`SIP/2.0 503 x\nRetry-After: ${value}\n\n`))).toBe(expected);
  });

  it('is null without the field', () => {
    expect(readRetryAfterMs(parsedResponse('SIP/2.0 503 x\nl: 0\n\n'))).toBeNull();
  });
});

// @vitest-environment happy-dom
import { sampleCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { endOf } from '../../../src/app/pages/call/describe-call.ts';
import { lineOf } from '../../../src/app/pages/live/parts/parties.ts';
import { texts } from '../../../src/app/texts/en.ts';
import { otherParty } from '../../../src/app/ui/values/other-party.ts';

describe('the texts of a call', () => {
  it.each([
    [{ status: 'in-progress', end_reason: null }, 'In progress'],
    [{ status: 'ended', end_reason: 'user_hangup' }, 'Caller hung up'],
    [{ status: 'ended', end_reason: 'of_a_later_version' }, 'of_a_later_version'],
  ])('have the end of %j as %j', (call, text) => {
    expect(endOf(call as Parameters<typeof endOf>[0])).toBe(text);
  });

  it.each([
    [{ direction: 'inbound', caller_phone: '+31201234567' }, '+31201234567'],
    [{ direction: 'outbound', caller_phone: null }, texts.calls.unknownCaller],
    [{ direction: 'web', caller_phone: null }, texts.calls.webCaller],
  ] as const)('have the other party of %j as %j', (call, text) => {
    expect(otherParty(call)).toBe(text);
  });

  it.each([
    ['+31201234567', 'Inbound · +31201234567'],
    [null, 'Inbound'],
  ])('have the line of a call to %j as %j', (assistant_phone, text) => {
    expect(lineOf(sampleCall({ direction: 'inbound', assistant_phone }))).toBe(text);
  });
});

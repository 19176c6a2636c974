import { describe, expect, it } from 'vitest';
import { reportOf as plivoReport } from '../../../src/plivo/failures.ts';
import { partyOf, withPlus } from '../../../src/shared/call/party.ts';
import { CarrierError } from '../../../src/shared/web/carrier-error.ts';
import { refusalOf as telnyxRefusal, reportOf as telnyxReport } from '../../../src/telnyx/failures.ts';
import { refusalOf as twilioRefusal, reportOf as twilioReport } from '../../../src/twilio/failures.ts';
import { reportOf as vonageReport } from '../../../src/vonage/failures.ts';

const plivo = (CallStatus: string, HangupCauseCode = '') =>
  plivoReport(new URLSearchParams({ CallStatus, HangupCauseCode }));
const telnyx = (hangup_cause: unknown, sip_hangup_cause?: unknown) =>
  telnyxReport('call.hangup', { hangup_cause, sip_hangup_cause });

describe('the report of an outbound call', () => {
  it.each([
    ['Twilio', twilioReport('in-progress', null)],
    ['Telnyx', telnyxReport('call.answered', {})],
    ['Plivo', plivo('in-progress')],
    ['Vonage', vonageReport({ status: 'answered' })],
  ])('of %s says that it was answered', (_, report) => {
    expect(report).toEqual({ type: 'answered' });
  });

  it.each([
    ['Twilio', twilioReport('completed', 200)],
    ['Telnyx', telnyx('normal_clearing')],
    ['Plivo', plivo('completed', '4000')],
    ['Vonage', vonageReport({ status: 'completed' })],
  ])('of %s has no failure for a completed call', (_, report) => {
    expect(report).toMatchObject({ type: 'ended', failure: null });
  });

  it.each([
    ['Twilio busy', 'busy', twilioReport('busy', 486)],
    ['Twilio canceled', 'no-answer', twilioReport('canceled', null)],
    ['Twilio failed', 'failed', twilioReport('failed', null)],
    ['Twilio failed with 404', 'invalid-destination', twilioReport('failed', 404)],
    ['Twilio failed with 603', 'declined', twilioReport('failed', 603)],
    ['Telnyx busy', 'busy', telnyx('user_busy', '486')],
    ['Telnyx without a cause', 'failed', telnyx(undefined)],
    ['Telnyx with a malformed cause', 'failed', telnyx({}, {})],
    ['Telnyx with a SIP status only', 'no-answer', telnyx('unspecified', '480')],
    ['Plivo busy', 'busy', plivo('busy', '3010')],
    ['Plivo with an unknown code', 'no-answer', plivo('no-answer', '9999')],
    ['Plivo to an invalid number', 'invalid-destination', plivo('failed', '2000')],
    ['Vonage rejected', 'declined', vonageReport({ status: 'rejected' })],
    ['Vonage without a route', 'invalid-destination', vonageReport({ status: 'failed', detail: 'cannot_route' })],
    ['Vonage with a malformed detail', 'failed', vonageReport({ status: 'failed', detail: 7 })],
  ])('of %s is the failure %s', (_, failure, report) => {
    expect(report).toMatchObject({ type: 'ended', failure });
  });

  it.each(['', 'ringing', 'later-status', 'constructor', 'toString', '__proto__'])(
    'is null for the status %j',
    (status) => {
      expect([twilioReport(status, null), plivo(status), vonageReport({ status })]).toEqual([null, null, null]);
    },
  );

  it.each(['constructor', '__proto__', 'hasOwnProperty'])('is a plain failure for the cause %j', (cause) => {
    expect(telnyx(cause)).toMatchObject({ failure: 'failed' });
    expect(plivo('failed', cause)).toMatchObject({ failure: 'failed' });
  });

  it('is null for other events and malformed fields', () => {
    expect([telnyxReport('call.initiated', {}), vonageReport({}), vonageReport({ status: 7 })]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

it('a refused request › names an invalid destination by the code of the carrier', () => {
  const refused = (code: string | null): CarrierError => new CarrierError(400, code, 'refused');
  expect([twilioRefusal(refused('21211')), twilioRefusal(refused('20003')), twilioRefusal(refused(null))]).toEqual([
    ...['invalid-destination', 'failed', 'failed'],
  ]);
  expect([telnyxRefusal(refused('10016')), telnyxRefusal(new Error('10016'))]).toEqual([
    'invalid-destination',
    'failed',
  ]);
});

it.each([
  ['+31201234567', '+31201234567'],
  ['sip:+31201234567@example.com;user=phone', '+31201234567'],
  ['sips:anna@example.com', 'anna'],
  ['sip:example.com;transport=tls', 'example.com'],
  ['client:anna', 'client:anna'],
  ['sip:', 'sip:'],
  [null, 'anonymous'],
])('partyOf › reads %j', (address, number) => {
  expect(partyOf(address).number).toBe(number);
});

it('partyOf › bounds what a carrier sends', () => {
  const party = partyOf('1'.repeat(1_000), 'n'.repeat(1_000));
  expect([party.number.length, party.displayName?.length, party.uri.length]).toEqual([256, 256, 256]);
});

it.each([
  ['31201234567', '+31201234567'],
  ['+31201234567', '+31201234567'],
  ['0201234567', '0201234567'],
  ['123456', '123456'],
  ['1234567890123456', '1234567890123456'],
  ['anonymous', 'anonymous'],
])('withPlus › turns %j into %j', (text, expected) => {
  expect(withPlus(text)).toBe(expected);
});

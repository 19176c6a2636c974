import type { DialFailure } from '@va/core/adapter';
import type { CallReport } from '../shared/call/outgoing-call.ts';
import { sipFailure } from '../shared/call/sip-failure.ts';
import { CarrierError } from '../shared/web/carrier-error.ts';
import { type JsonFields, numberOf, textOf } from '../shared/web/fields.ts';

/** Telnyx error code for an invalid destination number. */
const invalidNumber = '10016';

const causes: ReadonlyMap<string, DialFailure> = new Map([
  ['user_busy', 'busy'],
  ['call_rejected', 'declined'],
  ['no_answer', 'no-answer'],
  ['timeout', 'no-answer'],
  ['originator_cancel', 'no-answer'],
  ['not_found', 'invalid-destination'],
]);

/** Returns the call failure for a refused request. */
export function refusalOf(error: Error): DialFailure {
  const isInvalid = error instanceof CarrierError && error.vendorCode === invalidNumber;
  return isInvalid ? 'invalid-destination' : 'failed';
}

/** Returns the report of an event of an outbound call; null for other events. */
export function reportOf(event: string, payload: JsonFields): CallReport | null {
  if (event === 'call.answered') return { type: 'answered' };
  if (event !== 'call.hangup') return null;
  const cause = textOf(payload.hangup_cause) ?? 'unspecified';
  if (cause === 'normal_clearing') {
    return { type: 'ended', failure: null, message: 'The call ended before its media stream opened.' };
  }
  const sipStatus = numberOf(payload.sip_hangup_cause);
  const detail = sipStatus === null ? '' : ` (SIP ${sipStatus})`;
  const failure = causes.get(cause) ?? (sipStatus === null ? 'failed' : sipFailure(sipStatus));
  return { type: 'ended', failure, message: `Telnyx: ${cause}${detail}.` };
}

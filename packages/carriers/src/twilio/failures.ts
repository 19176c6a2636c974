import type { DialFailure } from '@va/core/adapter';
import type { CallReport } from '../shared/call/outgoing-call.ts';
import { sipFailure } from '../shared/call/sip-failure.ts';
import { CarrierError } from '../shared/web/carrier-error.ts';

/** Twilio error codes for destinations that cannot be called. */
const invalidDestinations = new Set('13223 13224 21201 21211 21214 21217 21401 21421'.split(' '));

/** Returns the call failure for a refused request. */
export function refusalOf(error: Error): DialFailure {
  const isInvalid = error instanceof CarrierError && invalidDestinations.has(error.vendorCode ?? '');
  return isInvalid ? 'invalid-destination' : 'failed';
}

/** Returns the report of a status callback; null for other statuses. */
export function reportOf(status: string, sipStatus: number | null): CallReport | null {
  const detail = sipStatus === null ? '' : ` (SIP ${sipStatus})`;
  const message = `Twilio: ${status}${detail}.`;
  switch (status) {
    case 'in-progress':
      return { type: 'answered' };
    case 'completed':
      return { type: 'ended', failure: null, message: 'The call ended before its media stream opened.' };
    case 'busy':
      return { type: 'ended', failure: 'busy', message };
    case 'no-answer':
    case 'canceled':
      return { type: 'ended', failure: 'no-answer', message };
    case 'failed':
      return { type: 'ended', failure: sipStatus === null ? 'failed' : sipFailure(sipStatus), message };
    default:
      return null;
  }
}

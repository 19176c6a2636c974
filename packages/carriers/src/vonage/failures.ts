import type { DialFailure } from '@va/core/adapter';
import type { CallReport } from '../shared/call/outgoing-call.ts';
import { type JsonFields, textOf } from '../shared/web/fields.ts';

const statuses: ReadonlyMap<string, DialFailure> = new Map([
  ['busy', 'busy'],
  ['rejected', 'declined'],
  ['unanswered', 'no-answer'],
  ['timeout', 'no-answer'],
  ['cancelled', 'no-answer'],
  ['failed', 'failed'],
]);
/** Details of the status `failed` for destinations that cannot be called. */
const invalidDestinations = new Set(['cannot_route', 'number_out_of_service']);

/** Returns the report of an event of an outbound call; null for other events. */
export function reportOf(event: JsonFields): CallReport | null {
  const status = textOf(event.status) ?? '';
  const detail = textOf(event.detail);
  if (status === 'answered') return { type: 'answered' };
  if (status === 'completed') {
    return { type: 'ended', failure: null, message: 'The call ended before its media stream opened.' };
  }
  const failure = statuses.get(status);
  if (failure === undefined) return null;
  const isInvalid = detail !== null && invalidDestinations.has(detail);
  const message = `Vonage: ${status}${detail === null ? '' : ` (${detail})`}.`;
  return { type: 'ended', failure: isInvalid ? 'invalid-destination' : failure, message };
}

import type { Call } from '@va/client';
import { texts } from '../../texts/en.ts';

/** The reason of a call's end, or its status before. */
export function endOf({ status, end_reason }: Pick<Call, 'status' | 'end_reason'>): string {
  return end_reason === null ? texts.calls.statuses[status] : (texts.calls.endReasons[end_reason] ?? end_reason);
}

/** The number of who called or was called. */
export function otherParty(call: Pick<Call, 'direction' | 'phone_number' | 'caller_phone'>): string {
  if (call.direction === 'web') return texts.calls.webCaller;
  return (call.direction === 'outbound' ? call.phone_number : call.caller_phone) ?? texts.calls.unknownCaller;
}

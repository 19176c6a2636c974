import type { Call } from '@va/client';
import { texts } from '../../texts/en.ts';

/** Returns the end reason of a call, or its status while it is live. */
export function endOf({ status, end_reason }: Pick<Call, 'status' | 'end_reason'>): string {
  return end_reason === null ? texts.calls.statuses[status] : (texts.calls.endReasons[end_reason] ?? end_reason);
}

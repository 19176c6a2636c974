import type { Call } from '@va/client';
import { texts } from '../../texts/en.ts';

/** Returns the remote number of a call: the caller of an inbound call, the called number of an outbound one. */
export function otherParty({ direction, caller_phone: phone }: Pick<Call, 'direction' | 'caller_phone'>): string {
  return direction === 'web' ? texts.calls.webCaller : (phone ?? texts.calls.unknownCaller);
}

import type { Call } from '@va/client';
import { texts } from '../texts/en.ts';

/** Returns who the agent talks with: the number of the other party, whoever has called. */
export function otherParty({ direction, caller_phone: phone }: Pick<Call, 'direction' | 'caller_phone'>): string {
  return direction === 'web' ? texts.calls.webCaller : (phone ?? texts.calls.unknownCaller);
}

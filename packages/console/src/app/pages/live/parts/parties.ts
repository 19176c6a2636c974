import type { Call } from '@va/client';
import { texts } from '../../../texts/en.ts';

/** Returns the name of the party that the agent talks with. */
export function otherParty({ direction, caller_phone: phone }: Call): string {
  return direction === 'web' ? texts.live.webCaller : (phone ?? texts.live.unknownCaller);
}

/** Returns direction and own number of a call: `Inbound · +31201234567`. */
export function lineOf({ direction, assistant_phone: number }: Call): string {
  const name = texts.live.directions[direction];
  return number === null ? name : `${name} · ${number}`;
}

import type { Call } from '@va/client';
import { texts } from '../../../texts/en.ts';

/** Returns direction and own number of a call: `Inbound · +31201234567`. */
export function lineOf({ direction, assistant_phone: number }: Call): string {
  const name = texts.live.directions[direction];
  return number === null ? name : `${name} · ${number}`;
}

import type { SipResponse } from './message.ts';

/** How long a server asks to be left alone; null where it does not say. @see RFC 3261 §20.33 */
export function readRetryAfterMs(response: SipResponse): number | null {
  const [, seconds] = /^\s*(\d{1,9})\s*(?:[(;]|$)/.exec(response.headers.get('Retry-After') ?? '') ?? [];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

import type { SipResponse } from './message.ts';

/** Returns the delay that a server asks for in Retry-After, in milliseconds; null without one. @see RFC 3261 §20.33 */
export function readRetryAfterMs(response: SipResponse): number | null {
  const [, seconds] = /^\s*(\d{1,9})\s*(?:[(;]|$)/.exec(response.headers.get('Retry-After') ?? '') ?? [];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

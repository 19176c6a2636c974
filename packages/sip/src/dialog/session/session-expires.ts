import type { SipMessage, SipRequest } from '../../message/message.ts';
import { parseParams } from '../../message/tokens.ts';
import { supports } from '../supported.ts';

/** Shortest session interval, in seconds; a peer that asks for less is rejected with 422. @see RFC 4028 §4 */
export const minSessionSeconds = 90;
/** Session interval of outgoing calls, in seconds. */
export const defaultSessionSeconds = 1_800;

/** Lifetime of a session without a refresh, and the side that refreshes it. */
export interface SessionInterval {
  readonly seconds: number;
  /** `uac` is the sender of the request, in the request and in its response. Null if not specified. */
  readonly refresher: 'uac' | 'uas' | null;
}

function readSeconds(text: string | undefined): { seconds: number; rest: string } | null {
  const match = /^(\d{1,9})\s*(;.*)?$/s.exec(text ?? '');
  return match === null ? null : { seconds: Number(match[1]), rest: match[2] ?? '' };
}

/** Reads Session-Expires; null when it is missing or malformed. @see RFC 4028 §4 */
export function readSessionExpires(message: SipMessage): SessionInterval | null {
  const read = readSeconds(message.headers.get('Session-Expires'));
  const refresher = parseParams(read?.rest ?? '')
    ?.get('refresher')
    ?.toLowerCase();
  if (read === null) return null;
  return { seconds: read.seconds, refresher: refresher === 'uac' || refresher === 'uas' ? refresher : null };
}

/** Reads Min-SE, in seconds; null when it is missing or malformed. @see RFC 4028 §5 */
export function readMinSe(message: SipMessage): number | null {
  return readSeconds(message.headers.get('Min-SE'))?.seconds ?? null;
}

export function formatSessionExpires({ seconds, refresher }: SessionInterval): string {
  return refresher === null ? String(seconds) : `${seconds};refresher=${refresher}`;
}

/**
 * Tells whether to reject a request with 422; a sender without timer support could not handle that.
 * @see RFC 4028 §9
 */
export function isTooBrief(request: SipRequest, leastSeconds: number): boolean {
  const requested = readSessionExpires(request);
  return requested !== null && requested.seconds < leastSeconds && supports(request, 'timer');
}

/** Returns the interval with which to answer a request; null when the session needs no refreshes. */
export function agreeOnInterval(request: SipRequest, leastSeconds: number): SessionInterval | null {
  const requested = readSessionExpires(request);
  if (requested === null) return null;
  const seconds = Math.max(requested.seconds, leastSeconds);
  // A proxy may ask for a timer on behalf of a caller without support for it: the local side then refreshes.
  if (!supports(request, 'timer')) return { seconds, refresher: 'uas' };
  return { seconds, refresher: requested.refresher ?? 'uac' };
}

/** Returns the header fields of a 2xx for an agreed interval. */
export function intervalHeaders(interval: SessionInterval | null): [string, string][] {
  if (interval === null) return [];
  const headers: [string, string][] = [['Session-Expires', formatSessionExpires(interval)]];
  if (interval.refresher === 'uac') headers.push(['Require', 'timer']);
  return headers;
}

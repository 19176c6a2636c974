import type { SipMessage, SipRequest } from '../../message/message.ts';
import { parseParams } from '../../message/tokens.ts';
import { supports } from '../supported.ts';

/** No interval is shorter: a peer may ask for less, and is told so with a 422. @see RFC 4028 §4 */
export const leastSessionSeconds = 90;
/** What we ask for in calls that we make. */
export const defaultSessionSeconds = 1_800;

/** How long a session lives without a refresh, and who is to refresh it. */
export interface SessionInterval {
  readonly seconds: number;
  /** `uac` is who has sent the request that this is said in or in answer to. Null where that is left open. */
  readonly refresher: 'uac' | 'uas' | null;
}

function readSeconds(text: string | undefined): { seconds: number; rest: string } | null {
  const match = /^(\d{1,9})\s*(;.*)?$/s.exec(text ?? '');
  return match === null ? null : { seconds: Number(match[1]), rest: match[2] ?? '' };
}

/** Null when there is none, or it is malformed. @see RFC 4028 §4 */
export function readSessionExpires(message: SipMessage): SessionInterval | null {
  const read = readSeconds(message.headers.get('Session-Expires'));
  const refresher = parseParams(read?.rest ?? '')
    ?.get('refresher')
    ?.toLowerCase();
  if (read === null) return null;
  return { seconds: read.seconds, refresher: refresher === 'uac' || refresher === 'uas' ? refresher : null };
}

/** @see RFC 4028 §5 */
export function readMinSe(message: SipMessage): number | null {
  return readSeconds(message.headers.get('Min-SE'))?.seconds ?? null;
}

export function formatSessionExpires({ seconds, refresher }: SessionInterval): string {
  return refresher === null ? String(seconds) : `${seconds};refresher=${refresher}`;
}

/** Whether a request is to be refused with 422: one who knows no timers could not do better. @see RFC 4028 §9 */
export function isTooBrief(request: SipRequest, leastSeconds: number): boolean {
  const asked = readSessionExpires(request);
  return asked !== null && asked.seconds < leastSeconds && supports(request, 'timer');
}

/** What we answer to a request with an interval, as who is asked; null when the session needs no refreshes. */
export function agreeOnInterval(request: SipRequest, leastSeconds: number): SessionInterval | null {
  const asked = readSessionExpires(request);
  if (asked === null) return null;
  const seconds = Math.max(asked.seconds, leastSeconds);
  // A proxy may ask on behalf of a caller who knows nothing of it: the refreshes are then ours.
  if (!supports(request, 'timer')) return { seconds, refresher: 'uas' };
  return { seconds, refresher: asked.refresher ?? 'uac' };
}

/** The header fields that tell an agreed interval in a 2xx. */
export function intervalHeaders(interval: SessionInterval | null): [string, string][] {
  if (interval === null) return [];
  const headers: [string, string][] = [['Session-Expires', formatSessionExpires(interval)]];
  if (interval.refresher === 'uac') headers.push(['Require', 'timer']);
  return headers;
}

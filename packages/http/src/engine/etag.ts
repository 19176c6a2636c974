import { hash } from 'node:crypto';

/** A strong validator of these bytes. */
export function etagOf(body: string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/**
 * Whether `If-None-Match` names what the client has already.
 * @see RFC 9110 §13.1.2; the comparison is the weak one (§8.8.3.2)
 */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  for (const [, tag] of ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g)) {
    if (tag === etag) return true;
  }
  return false;
}

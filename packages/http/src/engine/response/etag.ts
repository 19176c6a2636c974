import { hash } from 'node:crypto';

/** Returns a strong validator of the body. */
export function etagOf(body: string | Uint8Array): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/**
 * Returns true if `If-None-Match` names the given validator.
 * @see RFC 9110 §13.1.2; the comparison is the weak one (§8.8.3.2)
 */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  for (const [, tag] of ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g)) {
    if (tag === etag) return true;
  }
  return false;
}

import { hash } from 'node:crypto';

/**
 * Returns a strong validator of the body.
 *
 * `hono/etag` is not used: it reads the whole body of every GET response that has no validator, before the first byte
 * is sent. An event stream never ends, and a recording would be kept in memory.
 */
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

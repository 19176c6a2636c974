import type { HttpRequest } from '../../message/http-request.ts';

/**
 * Returns `own` for a request of a page of the service's own origin or started by the user, such as by typing the
 * address; `other` for a request of a page of another origin; and null for programs and for browsers without fetch
 * metadata.
 * @see W3C Fetch Metadata Request Headers §2.3
 */
export function fetchSiteOf(request: Pick<HttpRequest, 'header'>): 'own' | 'other' | null {
  const site = request.header('sec-fetch-site');
  if (site === null) return null;
  return site === 'same-origin' || site === 'none' ? 'own' : 'other';
}

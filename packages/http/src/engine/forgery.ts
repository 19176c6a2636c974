import type { Principal } from '@va/core';
import { HttpError } from '../message/http-error.ts';
import type { HttpRequest } from '../message/http-request.ts';
import { fetchSiteOf } from './request/fetch-site.ts';

/**
 * Refuses a request that changes data if a page of another origin sends it with the session of the host (cross-site
 * request forgery). A browser adds cookies to such a request, but no `Authorization` header.
 * @throws HttpError 403 `forbidden`
 */
export function refuseForgery(request: HttpRequest, { keyId }: Principal): void {
  const isSafe = request.method === 'GET' || request.method === 'HEAD';
  if (isSafe || keyId !== null || request.header('authorization') !== null) return;
  const site = fetchSiteOf(request);
  const isOwn = site === null ? isFromOwnOrigin(request) : site === 'own';
  if (!isOwn) throw new HttpError(403, 'forbidden', 'Pages of another origin cannot use the session of the host.', {});
}

/**
 * Compares `Origin` with `Host`, for browsers without fetch metadata. Returns true for a request without `Origin`:
 * programs send none.
 */
function isFromOwnOrigin(request: HttpRequest): boolean {
  const origin = request.header('origin');
  if (origin === null) return true;
  return URL.canParse(origin) && new URL(origin).host === request.header('host');
}

import type { HttpRequest } from '../../message/http-request.ts';
import type { HttpResponse } from '../../message/http-response.ts';
import type { Route, RouteResponse } from '../../route/route.ts';
import { etagOf, matchesEtag } from './etag.ts';

/** Serializes the response of a route; returns 304 if the client has the current representation. */
export function toHttpResponse(
  response: RouteResponse,
  route: Route,
  request: HttpRequest,
  apiPath: string,
): HttpResponse {
  if (!('json' in response)) {
    // Copies the headers, because a route may return the same object for every request.
    const own = { ...response, headers: { ...response.headers } };
    return route.method === 'GET' ? unlessKnown(own, request) : own;
  }
  const { status, json, location } = response;
  const body = JSON.stringify(json);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  if (location !== null) headers.location = `${apiPath}${location}`;
  if (route.method !== 'GET' || route.secret || status !== 200) {
    headers['cache-control'] = 'no-store';
    return { status, headers, body };
  }
  headers.etag = etagOf(body);
  if (route.scope === null) headers['cache-control'] = 'no-cache';
  else {
    headers['cache-control'] = 'private, no-cache';
    headers.vary = 'Authorization';
  }
  return unlessKnown({ status, headers, body }, request);
}

/** @see RFC 9110 §15.4.5 */
function unlessKnown(response: HttpResponse, request: HttpRequest): HttpResponse {
  const { etag } = response.headers;
  const ifNoneMatch = request.header('if-none-match');
  if (etag === undefined || response.status !== 200 || ifNoneMatch === null || !matchesEtag(ifNoneMatch, etag)) {
    return response;
  }
  const { 'content-type': _type, 'content-length': _length, ...headers } = response.headers;
  return { status: 304, headers, body: null };
}

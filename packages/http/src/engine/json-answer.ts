import type { Route, RouteAnswer } from '../routes/route.ts';
import { etagOf, matchesEtag } from './etag.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpRequest } from './http-request.ts';

/** Writes a route's answer out, and leaves out what the client has already. */
export function toHttpAnswer(answer: RouteAnswer, route: Route, request: HttpRequest, apiPath: string): HttpAnswer {
  if (!('json' in answer)) {
    // A route may give the same headers each time, and each answer gets some of its own.
    const own = { ...answer, headers: { ...answer.headers } };
    return route.method === 'GET' ? unlessKnown(own, request) : own;
  }
  const { status, json, location } = answer;
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
function unlessKnown(answer: HttpAnswer, request: HttpRequest): HttpAnswer {
  const { etag } = answer.headers;
  const ifNoneMatch = request.header('if-none-match');
  if (etag === undefined || answer.status !== 200 || ifNoneMatch === null || !matchesEtag(ifNoneMatch, etag)) {
    return answer;
  }
  const { 'content-type': _type, 'content-length': _length, ...headers } = answer.headers;
  return { status: 304, headers, body: null };
}

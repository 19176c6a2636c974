import { STATUS_CODES } from 'node:http';
import { type Route, takesIdempotencyKey } from '../route/route.ts';
import type { JsonSchema } from './json-schemas.ts';

/** Returns the error codes of a route by status: those implied by its parts, and its own. */
export function errorCodes(route: Route): ReadonlyMap<number, readonly string[]> {
  const codes = new Map<number, string[]>();
  const add = (status: number, ...more: readonly string[]): void => {
    codes.set(status, [...new Set([...(codes.get(status) ?? []), ...more])]);
  };
  // An unknown or repeated query parameter.
  add(400, 'unknown_field', 'invalid_field');
  if (route.body !== null) {
    const isFile = 'kinds' in route.body;
    add(400, ...(isFile ? [] : ['invalid_json']), 'missing_field', 'unknown_field', 'invalid_field');
    add(413, 'body_too_large');
    add(415, 'unsupported_media_type');
  }
  if (route.scope !== null) {
    add(401, 'unauthorized', 'api_key_expired', 'api_key_revoked');
    add(403, 'forbidden');
    add(429, 'rate_limit_exceeded');
  }
  if (route.limit !== undefined) add(429, 'rate_limit_exceeded');
  if (takesIdempotencyKey(route)) {
    add(400, 'invalid_field');
    add(409, 'idempotency_in_progress');
    add(422, 'idempotency_key_reused');
  }
  for (const [status, own] of Object.entries(route.errors)) add(Number(status), ...own);
  add(500, 'internal_error');
  if (!route.statuses.includes(503)) add(503, 'unavailable');
  return new Map([...codes].sort(([a], [b]) => a - b));
}

/** Describes an error response with the given codes. */
export function describeError(status: number, codes: readonly string[]): JsonSchema {
  const own = { type: 'object', properties: { code: { type: 'string', 'x-extensible-enum': codes } } };
  const content = (name: string): JsonSchema => ({
    schema: { allOf: [{ $ref: `#/components/schemas/${name}` }, own] },
  });
  const list = codes.map((code) => `\`${code}\``).join(', ');
  return {
    description: `${STATUS_CODES[status] ?? 'Error'}: ${list}.`,
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(status === 401 ? { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } } : {}),
      ...(status === 429 || status === 503 || codes.includes('idempotency_in_progress')
        ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
        : {}),
    },
    content: { 'application/json': content('Error'), 'application/problem+json': content('Problem') },
  };
}

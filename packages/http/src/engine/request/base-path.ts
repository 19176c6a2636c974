/** Path of the API below its mount. */
export const apiPrefix = '/api/v1';

const belowMount = /(?:\/api\/v1|\/telephony)$/;

/**
 * Normalizes the path that the API is mounted under: percent-encoded, without a trailing slash. `/voice/api/v1` and
 * `/voice/telephony` become `/voice`.
 */
export function toBasePath(path: string): string {
  const encoded = /^[\w\-./~%]*$/.test(path) ? path : encodeURI(path);
  const trimmed = encoded.replace(/\/+$/, '');
  const base = trimmed.replace(belowMount, '');
  return base === '' || base.startsWith('/') ? base : `/${base}`;
}

/** Returns the part of a path after `<base>/api/v1`; null for a path outside it. */
export function belowApi(path: string, basePath: string): string | null {
  const start = basePath.length + apiPrefix.length;
  const isBelow = path.startsWith(basePath) && path.startsWith(apiPrefix, basePath.length);
  if (!isBelow || (path.length > start && path[start] !== '/')) return null;
  return path.slice(start);
}

/**
 * Returns as many leading segments of a path as a mount's pattern has: `/t1/voice` of `/t1/voice/api/v1` for
 * `/:tenant/voice`.
 */
export function leadingSegments(path: string, pattern: string): string {
  const count = pattern.split('/').filter((segment) => segment !== '').length;
  return path
    .split('/')
    .slice(0, count + 1)
    .join('/');
}

export const apiPrefix = '/api/v1';

/**
 * A path that the API is mounted under, as requests write it: percent-encoded, without a slash at its end. A mount at
 * `/voice/api/v1` is one at `/voice`.
 */
export function toBasePath(path: string): string {
  const encoded = /^[\w\-./~%]*$/.test(path) ? path : encodeURI(path);
  const trimmed = encoded.replace(/\/+$/, '');
  const base = trimmed.endsWith(apiPrefix) ? trimmed.slice(0, -apiPrefix.length) : trimmed;
  return base === '' || base.startsWith('/') ? base : `/${base}`;
}

/** What of a path comes after `<base>/api/v1`; null where it is not below that. */
export function belowApi(path: string, basePath: string): string | null {
  const start = basePath.length + apiPrefix.length;
  const isBelow = path.startsWith(basePath) && path.startsWith(apiPrefix, basePath.length);
  if (!isBelow || (path.length > start && path[start] !== '/')) return null;
  return path.slice(start);
}

/** The first segments of a path, as many as a mount's pattern has: `/t1/voice` of `/t1/voice/api/v1` for `/:tenant/voice`. */
export function leadingSegments(path: string, pattern: string): string {
  const count = pattern.split('/').filter((segment) => segment !== '').length;
  return path
    .split('/')
    .slice(0, count + 1)
    .join('/');
}

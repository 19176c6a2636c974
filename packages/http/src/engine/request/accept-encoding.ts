import { parseAccept } from 'hono/utils/accept';

/**
 * Returns true if the client accepts a gzip-compressed response.
 * @see RFC 9110 §12.5.3
 */
export function acceptsGzip(acceptEncoding: string | null): boolean {
  if (acceptEncoding === null || acceptEncoding === '') return false;
  const accepted = parseAccept(acceptEncoding);
  const named = accepted.find(({ type }) => /^(x-)?gzip$/i.test(type)) ?? accepted.find(({ type }) => type === '*');
  return named !== undefined && named.q > 0;
}

import { parseAccept } from 'hono/utils/accept';

/**
 * Returns true if the client prefers errors as `application/problem+json`. The client has to name that type: with a
 * wildcard, errors keep the API's own form.
 * @see RFC 9110 §12.5.1
 */
export function prefersProblemJson(accept: string | null): boolean {
  if (accept === null || !accept.toLowerCase().includes('application/problem+json')) return false;
  const accepted = parseAccept(accept).map(({ type, q }) => ({ type: type.toLowerCase(), q }));
  const qualityOf = (...types: string[]): number => {
    const matches = types.map((type) => accepted.find((one) => one.type === type));
    return matches.find((match) => match !== undefined)?.q ?? 0;
  };
  const problem = qualityOf('application/problem+json');
  return problem > 0 && problem >= qualityOf('application/json', 'application/*', '*/*');
}

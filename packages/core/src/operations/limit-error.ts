import type { PassedLimit } from '../calls/limits/limits.ts';
import { RequestError } from '../errors.ts';

/** Returns the error for a request that a limit of the organization refuses. */
export function limitError({ reason, message }: PassedLimit): RequestError {
  if (reason === 'insufficient_credits') return new RequestError(402, reason, message);
  return new RequestError(429, reason, message, [], { retryAfterSeconds: 5 });
}

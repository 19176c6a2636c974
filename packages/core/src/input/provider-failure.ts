import { ProviderError, RequestError } from '../errors.ts';
import { invalidInput } from './parse-input.ts';

/** Waits for a provider on behalf of an API request. A failure becomes a 502, a timeout a 504. */
export async function fromProvider<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    throw thrown.fault === 'timeout'
      ? new RequestError(504, 'provider_timeout', thrown.message)
      : new RequestError(502, 'provider_error', thrown.message);
  }
}

/** Returns an error handler that converts a provider's 400 or 422 to a 400 for the field; it rethrows other errors. */
export function toInvalidField(path: string): (thrown: unknown) => never {
  return (thrown) => {
    const refused = thrown instanceof ProviderError && (thrown.status === 400 || thrown.status === 422);
    if (!refused) throw thrown;
    throw invalidInput([{ path, code: 'invalid_field', message: thrown.message }]);
  };
}

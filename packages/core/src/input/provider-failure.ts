import { ProviderError, RequestError } from '../errors.ts';
import { invalidInput } from './parse-input.ts';

/**
 * Waits for a provider on a caller's behalf: its failure becomes the 502, or the 504 where it did not answer in time.
 */
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

/** Makes the 400 of what a provider found wrong with the value of a field; throws anything else on. */
export function toInvalidField(path: string): (thrown: unknown) => never {
  return (thrown) => {
    const refused = thrown instanceof ProviderError && (thrown.status === 400 || thrown.status === 422);
    if (!refused) throw thrown;
    throw invalidInput([{ path, code: 'invalid_field', message: thrown.message }]);
  };
}

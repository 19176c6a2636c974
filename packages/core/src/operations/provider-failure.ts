import { ProviderError, RequestError } from '../errors.ts';

/** Waits for a provider on a caller's behalf: its failure becomes the 502, or the 504 where it did not answer in time. */
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

import { ProviderError, toError } from '@va/core/adapter';
import { faultOfStatus } from '../shared/http-fault.ts';
import { fieldsOf } from '../shared/json.ts';
import { withoutKey } from '../shared/without-key.ts';

const maxMessageLength = 500;

/**
 * Classifies an error of a model by the fields of `APICallError`, or by its name: the classes of the SDK differ between
 * its versions.
 */
export function toProviderError(provider: string, thrown: unknown, apiKey = ''): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const { statusCode, isRetryable, message: said } = fieldsOf(thrown) ?? {};
  const original = thrown instanceof Error || typeof said !== 'string' ? toError(thrown) : new Error(said);
  const message = withoutKey(original.message, apiKey).slice(0, maxMessageLength);
  // A response of success whose body broke off.
  if (typeof statusCode === 'number' && statusCode < 300) return new ProviderError(provider, 'connection', message);
  if (typeof statusCode === 'number') {
    return new ProviderError(provider, faultOfStatus(statusCode), message, { status: statusCode });
  }
  if (isRetryable === true) return new ProviderError(provider, 'connection', message);
  if (original.name === 'AI_LoadAPIKeyError') return new ProviderError(provider, 'auth', message);
  if (/^AI_(JSONParse|TypeValidation|InvalidResponseData)Error$/.test(original.name)) {
    return new ProviderError(provider, 'protocol', message);
  }
  const isRefusal = original.name.startsWith('AI_') && original.name !== 'AI_APICallError';
  return new ProviderError(provider, isRefusal ? 'invalid_request' : 'connection', message);
}

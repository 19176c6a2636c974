import type { ProviderFault } from '@va/core';
import { ProviderError, toError } from '@va/core/adapter';
import { type FaultTable, faultIn } from '../shared/faults/fault-table.ts';
import { faultOfStatus } from '../shared/faults/http-fault.ts';
import { withoutKey } from '../shared/faults/without-key.ts';
import { fieldsOf, type VendorFields } from '../shared/json.ts';

const maxMessageLength = 500;

/**
 * Faults by error type, for errors that the HTTP status does not classify: those that vendors stream in a response of
 * status 200, such as Anthropic's, which have no status in versions 2 and 3, and types such as `billing_error`.
 * @see https://docs.anthropic.com/en/api/errors
 */
const faultsOfTypes: FaultTable = {
  api_error: 'unavailable',
  overloaded_error: 'unavailable',
  rate_limit_error: 'unavailable',
  timeout_error: 'timeout',
  authentication_error: 'auth',
  permission_error: 'auth',
  billing_error: 'quota',
  insufficient_quota: 'quota',
  invalid_request_error: 'invalid_request',
  not_found_error: 'invalid_request',
  request_too_large: 'invalid_request',
};

/**
 * Classifies an error of a model by the fields of `APICallError`, or by its name: the classes of the SDK differ between
 * its versions.
 */
export function toProviderError(provider: string, thrown: unknown, apiKey = ''): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const { statusCode, isRetryable, message: said, type, data } = fieldsOf(thrown) ?? {};
  const original = thrown instanceof Error || typeof said !== 'string' ? toError(thrown) : new Error(said);
  const message = withoutKey(original.message, apiKey).slice(0, maxMessageLength);
  const status = typeof statusCode === 'number' && statusCode >= 300 ? statusCode : undefined;
  const typed = faultOfType(type, fieldsOf(fieldsOf(data)?.error));
  if (typed !== undefined) return new ProviderError(provider, typed, message, { status });
  // A response of success whose body broke off.
  if (typeof statusCode === 'number' && status === undefined) {
    return new ProviderError(provider, 'connection', message);
  }
  if (status !== undefined) return new ProviderError(provider, faultOfStatus(status), message, { status });
  if (isRetryable === true) return new ProviderError(provider, 'connection', message);
  if (original.name === 'AI_LoadAPIKeyError') return new ProviderError(provider, 'auth', message);
  if (/^AI_(JSONParse|TypeValidation|InvalidResponseData)Error$/.test(original.name)) {
    return new ProviderError(provider, 'protocol', message);
  }
  const isRefusal = original.name.startsWith('AI_') && original.name !== 'AI_APICallError';
  return new ProviderError(provider, isRefusal ? 'invalid_request' : 'connection', message);
}

/** Returns the fault of an error's type, or of the error in the body of a response. */
function faultOfType(type: unknown, inBody: VendorFields | undefined): ProviderFault | undefined {
  const faults = [type, inBody?.type, inBody?.code].map((name) => faultIn(faultsOfTypes, name));
  return faults.find((fault) => fault !== undefined);
}

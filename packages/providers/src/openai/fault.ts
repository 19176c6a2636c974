import { ProviderError, RefusedTarget, toError } from '@va/core/adapter';
import type OpenAI from 'openai';
import { faultOfStatus } from '../shared/faults/http-fault.ts';
import { causeWithoutKey, withoutKey } from '../shared/faults/without-key.ts';

type OpenAiModule = typeof OpenAI;

const maxMessageLength = 500;

/**
 * Classifies an error of the OpenAI SDK by its class, status and code. An error that contains one of the keys is not
 * kept as the cause.
 */
export function toProviderError(
  provider: string,
  thrown: unknown,
  module: OpenAiModule,
  keys: readonly string[],
): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const original = toError(thrown);
  const message = withoutKey(original.message, ...keys).slice(0, maxMessageLength);
  const cause = causeWithoutKey(original, ...keys);
  const refusal = [original, original.cause, toError(original.cause).cause].find(
    (each) => each instanceof RefusedTarget,
  );
  if (refusal instanceof RefusedTarget) return new ProviderError(provider, 'invalid_request', refusal.message);
  if (thrown instanceof module.APIConnectionTimeoutError) {
    return new ProviderError(provider, 'timeout', message, { cause });
  }
  if (thrown instanceof module.APIConnectionError) {
    return new ProviderError(provider, 'connection', message, { cause });
  }
  if (thrown instanceof module.APIError) {
    const status: number | undefined = thrown.status;
    const fault = thrown.code === 'insufficient_quota' ? 'quota' : faultOfStatus(status ?? 500);
    return new ProviderError(provider, fault, message, { status, cause });
  }
  if (thrown instanceof SyntaxError) {
    return new ProviderError(provider, 'protocol', 'a chunk of the reply is not JSON', { cause });
  }
  return new ProviderError(provider, 'connection', `the reply was interrupted: ${message}`, { cause });
}

import { ProviderError, toError } from '@va/core';
import type OpenAI from 'openai';
import { faultOfStatus } from '../shared/http-fault.ts';

type OpenAiModule = typeof OpenAI;

/** Classifies what the client threw, by its class, status and code. */
export function toProviderError(thrown: unknown, module: OpenAiModule): ProviderError {
  const cause = toError(thrown);
  if (thrown instanceof ProviderError) return thrown;
  if (thrown instanceof module.APIConnectionTimeoutError) {
    return new ProviderError('openai', 'timeout', cause.message, { cause });
  }
  if (thrown instanceof module.APIConnectionError) {
    return new ProviderError('openai', 'connection', cause.message, { cause });
  }
  if (thrown instanceof module.APIError) {
    const status: number | undefined = thrown.status;
    const fault = thrown.code === 'insufficient_quota' ? 'quota' : faultOfStatus(status ?? 500);
    return new ProviderError('openai', fault, cause.message, { status, cause });
  }
  if (thrown instanceof SyntaxError) {
    return new ProviderError('openai', 'protocol', 'a piece of the reply is not JSON', { cause });
  }
  return new ProviderError('openai', 'connection', `the reply broke off: ${cause.message}`, { cause });
}

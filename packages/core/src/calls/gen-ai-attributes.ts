import type { Attributes } from '@opentelemetry/api';
import type { ModelUsage } from '../ports/providers/model-usage.ts';

/** Maximum length of a name that an agent or its model chooses. */
export const maxNameLength = 200;

/**
 * Returns the attributes of a request to a language model. `provider` is the provider's id in the host's registry.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function modelAttributes(provider: string, model: string | undefined, callId: string): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.conversation.id': callId,
    ...(model === undefined ? {} : { 'gen_ai.request.model': model.slice(0, maxNameLength) }),
  };
}

/** Returns the attributes for the tokens of a request, as its provider reported them. */
export function usageAttributes({ inputTokens, cachedInputTokens, outputTokens }: ModelUsage): Attributes {
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...(cachedInputTokens === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': cachedInputTokens }),
  };
}

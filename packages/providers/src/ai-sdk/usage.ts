import type { ModelUsage } from '@va/core/adapter';
import { fieldsOf } from '../shared/json.ts';

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/**
 * Reads the usage of a `finish` part: flat numbers in version 2, nested ones in versions 3 and 4.
 * @param provider `provider` of the model: in version 2, Anthropic's input does not include the tokens of its cache
 */
export function usageOf(usage: unknown, provider: string): ModelUsage | null {
  const { inputTokens: input, outputTokens: output, cachedInputTokens } = fieldsOf(usage) ?? {};
  const reported = countOf(fieldsOf(input)?.total ?? input);
  const outputTokens = countOf(fieldsOf(output)?.total ?? output);
  if (reported === undefined || outputTokens === undefined) return null;
  const cached = countOf(fieldsOf(input)?.cacheRead ?? cachedInputTokens);
  const isWithoutCache = typeof input === 'number' && provider.startsWith('anthropic');
  const inputTokens = reported + (isWithoutCache ? (cached ?? 0) : 0);
  return { inputTokens, outputTokens, ...(cached !== undefined && { cachedInputTokens: cached }) };
}

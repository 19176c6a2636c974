import type { ModelUsage } from '@va/core/adapter';
import { fieldsOf } from '../shared/json.ts';

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Reads the usage of a `finish` part: flat numbers in version 2, nested ones in versions 3 and 4. */
export function usageOf(usage: unknown): ModelUsage | null {
  const { inputTokens: input, outputTokens: output, cachedInputTokens } = fieldsOf(usage) ?? {};
  const inputTokens = countOf(fieldsOf(input)?.total ?? input);
  const outputTokens = countOf(fieldsOf(output)?.total ?? output);
  if (inputTokens === undefined || outputTokens === undefined) return null;
  const cached = countOf(fieldsOf(input)?.cacheRead ?? cachedInputTokens);
  return { inputTokens, outputTokens, ...(cached !== undefined && { cachedInputTokens: cached }) };
}

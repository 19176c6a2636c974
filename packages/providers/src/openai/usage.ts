import type { ModelUsage } from '@va/core/adapter';
import { countIn, fieldsOf } from '../shared/json.ts';

/**
 * Reads the token counts of a reply, which compatible services send with fewer fields; null without both counts.
 * @see https://platform.openai.com/docs/api-reference/chat/streaming
 */
export function toModelUsage(value: unknown): ModelUsage | null {
  const usage = fieldsOf(value);
  const inputTokens = countIn(usage, 'prompt_tokens');
  const outputTokens = countIn(usage, 'completion_tokens');
  if (inputTokens === undefined || outputTokens === undefined) return null;
  const input = fieldsOf(usage?.prompt_tokens_details);
  const cachedInputTokens = countIn(input, 'cached_tokens');
  const inputAudioTokens = countIn(input, 'audio_tokens');
  const outputAudioTokens = countIn(fieldsOf(usage?.completion_tokens_details), 'audio_tokens');
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(inputAudioTokens !== undefined && { inputAudioTokens }),
    ...(outputAudioTokens !== undefined && { outputAudioTokens }),
  };
}

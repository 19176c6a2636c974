import type { ModelUsage } from '@va/core/adapter';
import { countIn, fieldsOf } from '../shared/json.ts';

/**
 * Reads the token counts of a response; undefined unless it has both input and output tokens.
 * @see https://platform.openai.com/docs/api-reference/realtime-server-events/response/done
 */
export function readResponseUsage(value: unknown): ModelUsage | undefined {
  const usage = fieldsOf(value);
  const inputTokens = countIn(usage, 'input_tokens');
  const outputTokens = countIn(usage, 'output_tokens');
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const input = fieldsOf(usage?.input_token_details);
  const counts = {
    cachedInputTokens: countIn(input, 'cached_tokens'),
    inputAudioTokens: countIn(input, 'audio_tokens'),
    cachedInputAudioTokens: countIn(fieldsOf(input?.cached_tokens_details), 'audio_tokens'),
    outputAudioTokens: countIn(fieldsOf(usage?.output_token_details), 'audio_tokens'),
  };
  return { inputTokens, outputTokens, ...withoutUndefined(counts) };
}

/**
 * Reads what a transcription is billed for: tokens, or seconds of audio; undefined without either.
 * @see https://platform.openai.com/docs/api-reference/realtime-server-events (input_audio_transcription.completed)
 */
export function readTranscriptionUsage(value: unknown): ModelUsage | undefined {
  const usage = fieldsOf(value);
  const seconds = countIn(usage, 'seconds');
  if (seconds !== undefined) return { inputTokens: 0, outputTokens: 0, inputAudioSeconds: seconds };
  return readResponseUsage(usage);
}

function withoutUndefined(counts: Readonly<Record<string, number | undefined>>): Partial<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}

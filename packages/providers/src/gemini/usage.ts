import type { ModelUsage } from '@va/core/adapter';
import { countIn, fieldsOf, type VendorFields } from '../shared/json.ts';

/**
 * Reads the token counts of a message; undefined without any. Thoughts are billed as output.
 * @see https://ai.google.dev/api/live#UsageMetadata
 */
export function readUsage(value: unknown): ModelUsage | undefined {
  const usage = fieldsOf(value);
  const inputTokens = countIn(usage, 'promptTokenCount');
  const response = countIn(usage, 'responseTokenCount');
  if (usage === undefined || (inputTokens === undefined && response === undefined)) return undefined;
  const cached = countIn(usage, 'cachedContentTokenCount');
  const inputAudio = audioIn(usage, 'promptTokensDetails');
  const cachedAudio = audioIn(usage, 'cacheTokensDetails');
  const outputAudio = audioIn(usage, 'responseTokensDetails');
  return {
    inputTokens: (inputTokens ?? 0) + (countIn(usage, 'toolUsePromptTokenCount') ?? 0),
    outputTokens: (response ?? 0) + (countIn(usage, 'thoughtsTokenCount') ?? 0),
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(inputAudio !== undefined && { inputAudioTokens: inputAudio }),
    ...(cachedAudio !== undefined && { cachedInputAudioTokens: cachedAudio }),
    ...(outputAudio !== undefined && { outputAudioTokens: outputAudio }),
  };
}

function audioIn(usage: VendorFields, name: string): number | undefined {
  const details = usage[name];
  if (!Array.isArray(details)) return undefined;
  const audio = details.map(fieldsOf).find((each) => each?.modality === 'AUDIO');
  return countIn(audio, 'tokenCount');
}

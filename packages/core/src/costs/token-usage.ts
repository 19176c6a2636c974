import type { UsageKind } from '../domain/costs/usage-kind.ts';
import type { ModelUsage } from '../ports/providers/model-usage.ts';

/** Maximum of one reported count; larger ones are a provider's error. */
const maxCount = 1e9;

/** Returns a count that a provider reported: 0 if it is absent, not a number, or out of range. */
function countOf(reported: number | undefined): number {
  return reported !== undefined && reported >= 0 && reported <= maxCount ? reported : 0;
}

/**
 * Splits the counts of a request into kinds that exclude each other: providers count cached and audio tokens among the
 * others.
 */
export function quantitiesOf(usage: ModelUsage): readonly (readonly [UsageKind, number])[] {
  const input = countOf(usage.inputTokens);
  const audio = Math.min(countOf(usage.inputAudioTokens), input);
  const cached = Math.min(countOf(usage.cachedInputTokens), input);
  const cachedAudio = Math.min(countOf(usage.cachedInputAudioTokens), audio, cached);
  const cachedText = Math.min(cached - cachedAudio, input - audio);
  const output = countOf(usage.outputTokens);
  const outputAudio = Math.min(countOf(usage.outputAudioTokens), output);
  return [
    ['input_tokens', input - audio - cachedText],
    ['cached_input_tokens', cachedText],
    ['input_audio_tokens', audio - cachedAudio],
    ['cached_input_audio_tokens', cachedAudio],
    ['output_tokens', output - outputAudio],
    ['output_audio_tokens', outputAudio],
    ['stt_seconds', countOf(usage.inputAudioSeconds)],
  ];
}

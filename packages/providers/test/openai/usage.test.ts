import { describe, expect, it } from 'vitest';
import { toModelUsage } from '../../src/openai/usage.ts';

describe('toModelUsage', () => {
  it('reads cached and audio tokens from the details', () => {
    const usage = toModelUsage({
      prompt_tokens: 120,
      completion_tokens: 30,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 100, audio_tokens: 5 },
      completion_tokens_details: { audio_tokens: 7, reasoning_tokens: 3 },
    });
    expect(usage).toEqual({
      inputTokens: 120,
      cachedInputTokens: 100,
      inputAudioTokens: 5,
      outputTokens: 30,
      outputAudioTokens: 7,
    });
  });

  it.each([undefined, null, 'many', {}, { prompt_tokens: 1 }, { prompt_tokens: -1, completion_tokens: 2 }])(
    'returns null for %j',
    (value) => {
      expect(toModelUsage(value)).toBeNull();
    },
  );
});

import { describe, expect, it } from 'vitest';
import { readUsage } from '../../src/gemini/usage.ts';

describe('readUsage', () => {
  it('counts tool use as input and thoughts as output', () => {
    const usage = {
      promptTokenCount: 100,
      toolUsePromptTokenCount: 5,
      responseTokenCount: 20,
      thoughtsTokenCount: 7,
      cachedContentTokenCount: 40,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 30 },
        { modality: 'AUDIO', tokenCount: 70 },
      ],
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 10 }],
      responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 20 }],
    };
    expect(readUsage(usage)).toEqual({
      inputTokens: 105,
      outputTokens: 27,
      cachedInputTokens: 40,
      inputAudioTokens: 70,
      cachedInputAudioTokens: 10,
      outputAudioTokens: 20,
    });
  });

  it.each([undefined, null, 'text', {}, { promptTokenCount: '1' }, { totalTokenCount: 7 }])(
    'returns undefined for %j',
    (value) => {
      expect(readUsage(value)).toBeUndefined();
    },
  );

  it('ignores details of other shapes', () => {
    const usage = { promptTokenCount: 1, promptTokensDetails: { modality: 'AUDIO' }, responseTokensDetails: [null, 7] };
    expect(readUsage(usage)).toEqual({ inputTokens: 1, outputTokens: 0 });
  });
});

import type { Provider } from '@va/core/adapter';
import { assemblyai } from '@va/providers/assemblyai';
import { cartesia } from '@va/providers/cartesia';
import { deepgram, deepgramSpeech } from '@va/providers/deepgram';
import { elevenlabs, elevenlabsTranscription } from '@va/providers/elevenlabs';
import { geminiLive } from '@va/providers/gemini';
import { openai, openaiRealtime } from '@va/providers/openai';
import { xaiRealtime } from '@va/providers/xai';
import { describe, expect, it } from 'vitest';

const providers: [Provider, reserved: string][] = [
  [deepgram(), 'encoding'],
  [elevenlabs(), 'output_format'],
  [openai(), 'messages'],
  [openaiRealtime(), 'audio'],
  [xaiRealtime(), 'turn_detection'],
  [cartesia(), 'output_format'],
  [assemblyai(), 'webhook_url'],
  [elevenlabsTranscription(), 'audio_format'],
  [deepgramSpeech(), 'sample_rate'],
  [geminiLive(), 'generationConfig'],
];

function issueOf({ optionsSchema }: Provider, options: unknown): string | undefined {
  return optionsSchema?.safeParse({ options }).error?.issues[0]?.message;
}

describe.each(
  providers.map(([provider, reserved]) => ({ name: `${provider.id} ${provider.kind}`, provider, reserved })),
)('options of $name', ({ provider, reserved }) => {
  it('accept a name that the adapter does not know', () => {
    expect(issueOf(provider, { new_feature: true })).toBeUndefined();
  });

  it('refuse a name that the adapter sets itself', () => {
    expect(issueOf(provider, { [reserved]: 'other' })).toBe(`${reserved} is set by the provider itself`);
  });

  it('refuse more than 50 names and more than 10,000 characters', () => {
    const names = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`option_${at}`, 1]));
    expect(issueOf(provider, names)).toBe('takes at most 50 options');
    expect(issueOf(provider, { text: 'x'.repeat(10_000) })).toBe('takes at most 10000 characters of JSON');
  });

  it('refuse names that are no identifiers', () => {
    expect(issueOf(provider, { 'a b': 1 })).toBeDefined();
  });
});

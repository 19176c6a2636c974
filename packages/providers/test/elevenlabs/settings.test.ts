import { type ElevenLabsOptions, elevenlabs } from '@va/providers/elevenlabs';
import { ElevenLabsServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { collect, common } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function speak(config: object, options: ElevenLabsOptions = {}, language?: string) {
  const server = await ElevenLabsServer.start();
  const provider = elevenlabs({ apiKey: 'key', baseUrl: server.url, ...options });
  const session = provider.open({
    ...common(),
    config: { provider: provider.id, ...config },
    ...(language !== undefined && { language }),
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
  });
  closers.push(
    () => server.close(),
    () => session.close(),
  );
  const utterance = session.speak();
  utterance.push('Yes.');
  utterance.end();
  await collect(utterance);
  const [connection] = server.connections;
  return { query: Object.fromEntries(connection?.query ?? []), first: connection?.messages[0] ?? {} };
}

describe('settings of elevenlabs', () => {
  it('are sent under the names of the service', async () => {
    const dictionary = { pronunciation_dictionary_id: 'dictionary', version_id: 'version' };
    const { query, first } = await speak(
      {
        apply_text_normalization: 'on',
        enable_ssml_parsing: true,
        seed: 7,
        pronunciation_dictionary_locators: [dictionary],
        voice_settings: { stability: 0.5, speed: 1.1 },
      },
      { enableLogging: false },
    );
    expect(query).toMatchObject({
      apply_text_normalization: 'on',
      enable_ssml_parsing: 'true',
      seed: '7',
      enable_logging: 'false',
    });
    expect(first).toMatchObject({
      pronunciation_dictionary_locators: [dictionary],
      voice_settings: { stability: 0.5, speed: 1.1 },
    });
  });

  it.each([
    ['eleven_flash_v2_5', undefined, 'nl-NL', 'nl'],
    ['eleven_turbo_v2_5', 'de', 'nl-NL', 'de'],
    ['eleven_flash_v2_5', undefined, 'multi', undefined],
    ['eleven_multilingual_v2', undefined, 'nl', undefined],
    ['eleven_flash_v2_5', undefined, undefined, undefined],
  ])('send the language to %s if it accepts one (%s, %s)', async (model, own, agents, expected) => {
    const { query } = await speak({ model, ...(own !== undefined && { language: own }) }, {}, agents);
    expect(query.language_code).toBe(expected);
  });

  it('pass options on that the adapter does not know, without those that it sets', async () => {
    const { query } = await speak({ seed: 7, options: { new_feature: true, seed: 8 } });
    expect(query).toMatchObject({ new_feature: 'true', seed: '7' });
    const { query: refused } = await speak({ options: { output_format: 'pcm_16000' } });
    expect(refused.output_format).toBe('ulaw_8000');
  });

  it('are dropped one by one when invalid, so that the call is served', async () => {
    const { query, first } = await speak({ seed: 'seven', voice_settings: { speed: 9 }, enable_ssml_parsing: true });
    expect(query).toMatchObject({ enable_ssml_parsing: 'true' });
    expect(query).not.toHaveProperty('seed');
    expect(first).not.toHaveProperty('voice_settings');
  });
});

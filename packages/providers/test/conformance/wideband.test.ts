import { chooseFormat } from '@va/media';
import { type AnyProvider, type ProviderConformanceOptions, providerConformance } from '@va/testkit/providers';
import { beforeAll, describe, expect, it } from 'vitest';
import { subjects } from './subjects.ts';

const wide = { encoding: 'pcm16', sampleRateHz: 16_000 } as const;

/** Leaves a provider only the formats that it gets in a wideband call. */
function inWideband(provider: AnyProvider): AnyProvider {
  switch (provider.kind) {
    case 'stt':
      return { ...provider, formats: [chooseFormat(provider.formats, wide)] };
    case 'tts':
      return { ...provider, formats: [chooseFormat(provider.formats, wide)] };
    case 'realtime': {
      const inputFormats = [chooseFormat(provider.inputFormats, wide)];
      return { ...provider, inputFormats, outputFormats: [chooseFormat(provider.outputFormats, wide)] };
    }
    default:
      return provider;
  }
}

beforeAll(() => import('@deepgram/sdk'));

const audible = subjects.filter(({ kind }) => kind !== 'llm');

it.each(audible)('$name keeps the bandwidth of a wideband call', async ({ open }) => {
  const subject = await open();
  const provider = inWideband(subject.provider(subject.host));
  const formats = 'formats' in provider ? provider.formats : [];
  const all = provider.kind === 'realtime' ? [...provider.inputFormats, ...provider.outputFormats] : formats;
  expect(all.every(({ sampleRateHz }) => sampleRateHz >= 16_000)).toBe(true);
  await subject.close();
});

for (const subject of audible) {
  const options: ProviderConformanceOptions = {
    ...subject,
    name: `${subject.name}, wideband`,
    async open() {
      const opened = await subject.open();
      return { ...opened, provider: (host) => inWideband(opened.provider(host)) };
    },
  };
  providerConformance({ describe, it }, options);
}

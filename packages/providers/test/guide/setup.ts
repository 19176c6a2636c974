import type { Provider } from '@va/core/adapter';
import { deepgram } from '@va/providers/deepgram';
import { elevenlabs } from '@va/providers/elevenlabs';
import { openai, openaiRealtime } from '@va/providers/openai';
import { xaiRealtime } from '@va/providers/xai';

export const providers: Provider[] = [
  // Keys come from DEEPGRAM_API_KEY, OPENAI_API_KEY, ELEVENLABS_API_KEY and XAI_API_KEY.
  deepgram({ mipOptOut: true }),
  openai({ serviceTier: 'priority' }),
  openai({
    id: 'groq',
    baseURL: 'https://api.groq.com/openai/v1',
    apiKey: process.env.GROQ_API_KEY ?? '',
    defaultModel: 'llama-3.3-70b-versatile',
  }),
  elevenlabs(),
  // Organizations' keys for `elevenlabs` are used for this one too.
  elevenlabs({ id: 'elevenlabs-eu', vendor: 'elevenlabs', baseUrl: 'wss://api.eu.residency.elevenlabs.io' }),
  openaiRealtime(),
  xaiRealtime(),
];

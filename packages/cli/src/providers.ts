import type { Provider } from '@va/core';
import { localSpeech } from '@va/local-speech';
import { deepgram } from '@va/providers/deepgram';
import { elevenlabs } from '@va/providers/elevenlabs';
import { openai, openaiRealtime } from '@va/providers/openai';
import { xaiRealtime } from '@va/providers/xai';

/** Every provider that this command knows; the hosted ones look for their keys when a call uses them. */
export function allProviders(): Provider[] {
  return [...localSpeech(), openai(), deepgram(), elevenlabs(), xaiRealtime(), openaiRealtime()];
}

/** Whether the keys of all hosted providers are there. */
export function hasProviderKeys(env: NodeJS.ProcessEnv): boolean {
  return [env.OPENAI_API_KEY, env.DEEPGRAM_API_KEY, env.ELEVENLABS_API_KEY].every(
    (key) => key !== undefined && key !== '',
  );
}

import type { Provider } from '@va/core/adapter';
import { localSpeech } from '@va/local-speech';
import { assemblyai } from '@va/providers/assemblyai';
import { cartesia } from '@va/providers/cartesia';
import { deepgram, deepgramSpeech } from '@va/providers/deepgram';
import { elevenlabs, elevenlabsTranscription } from '@va/providers/elevenlabs';
import { geminiLive } from '@va/providers/gemini';
import { openai, openaiRealtime } from '@va/providers/openai';
import { xaiRealtime } from '@va/providers/xai';

/** Creates the hosted providers. They read their API keys from the environment on first use. */
export function hostedProviders(): Provider[] {
  return [
    openai(),
    deepgram(),
    deepgramSpeech(),
    elevenlabs(),
    elevenlabsTranscription(),
    cartesia(),
    assemblyai(),
    xaiRealtime(),
    openaiRealtime(),
    geminiLive(),
  ];
}

/**
 * Creates all providers. The local ones run rules and grammars of tenants in this process, so `va serve` enables them
 * only with `--local-speech`.
 */
export function allProviders(): Provider[] {
  return [...localSpeech(), ...hostedProviders()];
}

/** Returns true if the API keys of the providers that the hosted demo agent uses are set. */
export function hasProviderKeys(env: NodeJS.ProcessEnv): boolean {
  return [env.OPENAI_API_KEY, env.DEEPGRAM_API_KEY, env.ELEVENLABS_API_KEY].every(
    (key) => key !== undefined && key !== '',
  );
}

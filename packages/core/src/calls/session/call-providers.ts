import type { LlmConfig, SttConfig, TtsConfig } from '../../domain/agents/agent.ts';
import { VaError } from '../../errors.ts';
import type { Logger } from '../../ports/logger.ts';
import type { LanguageModel } from '../../ports/providers/language-model.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import type { RealtimeModel } from '../../ports/providers/realtime-model.ts';
import type { SpeechToText } from '../../ports/providers/speech-to-text.ts';
import type { TextToSpeech } from '../../ports/providers/text-to-speech.ts';
import { type Links, linksOf, llmConfigs, sttConfigs, ttsConfigs } from '../../providers/link.ts';
import type { Assistant } from '../assistant.ts';
import type { ProviderRegistry } from './provider-registry.ts';

/** A recognizer, a language model and a synthesizer in sequence, each with its fallbacks. */
export interface CascadeProviders {
  readonly kind: 'cascade';
  readonly recognizers: Links<SpeechToText, SttConfig>;
  readonly models: Links<LanguageModel, LlmConfig>;
  readonly synthesizers: Links<TextToSpeech, TtsConfig>;
  /** Voices of the languages that the conversation may switch to, by BCP 47 tag. */
  readonly voices: ReadonlyMap<string, Links<TextToSpeech, TtsConfig>>;
}

/** One speech-to-speech model instead of the cascade. */
export interface RealtimeProviders {
  readonly kind: 'realtime';
  readonly model: RealtimeModel;
  readonly llmConfig: LlmConfig;
}

/**
 * Returns the assistant's providers. Called before the call is answered, because without them there is no conversation.
 * @throws VaError `agent_incomplete`, `unknown_provider`
 */
export function requireProviders(
  { sttConfig, llmConfig, ttsConfig, speechConfig }: Assistant,
  registry: ProviderRegistry,
  logger: Logger,
): CascadeProviders | RealtimeProviders {
  if (llmConfig !== null && registry.isRealtime(llmConfig.provider)) {
    return { kind: 'realtime', model: registry.find('realtime', llmConfig.provider), llmConfig };
  }
  if (sttConfig === null || llmConfig === null || ttsConfig === null) {
    throw new VaError(
      'agent_incomplete',
      'To take a call the agent needs stt_config, llm_config and tts_config, or an llm_config with a realtime ' +
        'provider.',
    );
  }
  const voiceOf = (config: TtsConfig): Links<TextToSpeech, TtsConfig> =>
    linksOf(ttsConfigs(config), (id) => registry.find('tts', id), logger);
  return {
    kind: 'cascade',
    recognizers: linksOf(sttConfigs(sttConfig), (id) => registry.find('stt', id), logger),
    models: linksOf(llmConfigs(llmConfig), (id) => registry.find('llm', id), logger),
    synthesizers: voiceOf(ttsConfig),
    voices: new Map(
      speechConfig.languages.map(({ language, tts_config: own }) => [
        language,
        voiceOf(own ?? { ...ttsConfig, language }),
      ]),
    ),
  };
}

/** Returns all providers of a call, fallbacks included. */
export function listProviders(providers: CascadeProviders | RealtimeProviders): readonly Provider[] {
  if (providers.kind === 'realtime') return [providers.model];
  const { recognizers, models, synthesizers, voices } = providers;
  return [...recognizers, ...models, ...synthesizers, ...[...voices.values()].flat()].map(({ provider }) => provider);
}

import type { LlmConfig, SttConfig, TtsConfig } from '../domain/agent.ts';
import { VaError } from '../errors.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { Provider } from '../ports/provider.ts';
import type { RealtimeModel } from '../ports/realtime-model.ts';
import type { SpeechToText } from '../ports/speech-to-text.ts';
import type { TextToSpeech } from '../ports/text-to-speech.ts';
import type { Assistant } from './assistant.ts';
import type { ProviderRegistry } from './provider-registry.ts';

/** A recognizer, a language model and a synthesizer, one after the other. */
export interface CascadeProviders {
  readonly kind: 'cascade';
  readonly recognizer: SpeechToText;
  readonly sttConfig: SttConfig;
  readonly model: LanguageModel;
  readonly llmConfig: LlmConfig;
  readonly synthesizer: TextToSpeech;
  readonly ttsConfig: TtsConfig;
}

/** One speech-to-speech model in the place of all three. */
export interface RealtimeProviders {
  readonly kind: 'realtime';
  readonly model: RealtimeModel;
  readonly llmConfig: LlmConfig;
}

/**
 * What the assistant listens, thinks and speaks with: looked for before the call is answered, as without it it cannot
 * hold a conversation at all.
 * @throws VaError `agent_incomplete`, `unknown_provider`
 */
export function requireProviders(
  { sttConfig, llmConfig, ttsConfig }: Assistant,
  registry: ProviderRegistry,
): CascadeProviders | RealtimeProviders {
  if (llmConfig !== null && registry.isRealtime(llmConfig.provider)) {
    return { kind: 'realtime', model: registry.find('realtime', llmConfig.provider), llmConfig };
  }
  if (sttConfig === null || llmConfig === null || ttsConfig === null) {
    throw new VaError(
      'agent_incomplete',
      'To take a call the agent needs stt_config, llm_config and tts_config, or an llm_config with a realtime provider.',
    );
  }
  return {
    kind: 'cascade',
    recognizer: registry.find('stt', sttConfig.provider),
    sttConfig,
    model: registry.find('llm', llmConfig.provider),
    llmConfig,
    synthesizer: registry.find('tts', ttsConfig.provider),
    ttsConfig,
  };
}

/** All of them, for what concerns each. */
export function listProviders(providers: CascadeProviders | RealtimeProviders): readonly Provider[] {
  if (providers.kind === 'realtime') return [providers.model];
  return [providers.recognizer, providers.model, providers.synthesizer];
}

import type { NewAgent } from '@va/core';
import type { Scenario, ScenarioAgent } from './scenario.ts';
import { providerId, realtimeId } from './scripted-providers.ts';

/**
 * Returns the complete agent of a scenario: without a first message and on scripted providers, with its own fields
 * merged over.
 */
export function wholeAgent({ agent = {}, stt, llm, tts, realtime }: Scenario): NewAgent {
  const { stt_config, llm_config, tts_config, speech_config, ...rest } = agent;
  const chained = (
    written: Readonly<Record<string, unknown>> | undefined,
    fallbacks: readonly unknown[] = [],
  ): { provider: string } => ({
    provider: providerId(0),
    ...written,
    ...(fallbacks.length === 0
      ? {}
      : { fallbacks: fallbacks.map((_, index) => ({ provider: providerId(index + 1) })) }),
  });
  const thinks = realtime === undefined ? chained(llm_config, llm?.fallbacks) : { ...llm_config, provider: realtimeId };
  return {
    name: 'Anna',
    webhook_url: 'https://customer.test/hook',
    stt_config: chained({ language: 'en', ...stt_config }, stt?.fallbacks),
    llm_config: thinks,
    tts_config: chained(tts_config, tts?.fallbacks),
    speech_config: audible(speech_config),
    ...rest,
  };
}

/** The agent's voice is lowered only if the scenario asks for it, because the heard text is read from the samples. */
function audible(speech: ScenarioAgent['speech_config']): ScenarioAgent['speech_config'] {
  return { ...speech, interruption: { lower_db: 0, ...speech?.interruption } };
}

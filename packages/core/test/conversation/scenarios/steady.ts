import type { Scenario } from '@va/testkit/scenarios';
import { steadySpeech } from '../../support/steady-speech.ts';

/** Plays a scenario with steady delays, so that its times follow from its words alone. */
export function steady(scenario: Scenario): Scenario {
  return {
    ...scenario,
    agent: { ...scenario.agent, speech_config: steadySpeech(scenario.agent?.speech_config ?? {}) },
  };
}

import { ProviderError, speechConfigSchema } from '@va/core';
import type { OpenScenarioCall } from '@va/testkit/scenarios';
import { callLatency } from '../../../src/conversation/agent-turn/latency.ts';
import { transcriptMessages } from '../../../src/conversation/state/transcript.ts';
import { startPlaced } from '../../support/start-placed.ts';

/** Plays a scenario on the conversation of an outbound call, starting with the answer. */
export const placedCall: OpenScenarioCall = async ({ clock, leg, agent, providers, onNotice, onEnd }) => {
  const find = <Kind extends 'stt' | 'llm' | 'tts'>(
    kind: Kind,
  ): Extract<(typeof providers)[number], { kind: Kind }> => {
    const found = providers.find((each): each is Extract<typeof each, { kind: Kind }> => each.kind === kind);
    if (found === undefined) throw new ProviderError(kind, 'unavailable', 'not in the scenario');
    return found;
  };
  const runner = startPlaced({
    firstMessage: agent.first_message ?? null,
    voicemailMessage: agent.voicemail_message ?? null,
    speechConfig: speechConfigSchema.parse(agent.speech_config ?? {}),
    stt: find('stt'),
    llm: find('llm'),
    tts: find('tts'),
    leg,
    clock,
    onNotice,
    onEnd: ({ reason, error }) =>
      // Runs after the step that ended the call, like the record of a call.
      queueMicrotask(() => {
        const { entries, latency } = runner.state;
        onEnd({
          reason,
          error,
          messages: transcriptMessages(entries),
          latency: callLatency(latency),
        });
      }),
  });
  leg.onEnd(() => runner.dispatch({ type: 'leg-ended', reason: 'user_hangup', error: null }));
  return {
    control: () => Promise.reject(new Error('commands are not supported in these scenarios')),
    close: async () => {},
  };
};

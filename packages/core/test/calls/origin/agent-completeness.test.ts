import { scriptedLlm, scriptedRealtime, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { incompletenessOf, requireComplete } from '../../../src/calls/origin/agent-completeness.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { untyped } from '../../support/untyped.ts';

type Configs = Pick<Agent, 'stt_config' | 'llm_config' | 'tts_config'>;

/** An agent with providers by their names; null for a missing configuration. */
function agentOf(stt: string | null, llm: string | null, tts: string | null): Configs {
  const configOf = (provider: string | null): unknown => (provider === null ? null : { provider });
  return untyped({ stt_config: configOf(stt), llm_config: configOf(llm), tts_config: configOf(tts) });
}

const providers = [
  scriptedStt(),
  scriptedLlm([]),
  scriptedTts(),
  { ...scriptedRealtime(), id: 'voice', aliases: ['voice-mini'] },
];

describe('incompletenessOf', () => {
  it.each([
    ['all three configurations', agentOf('scripted', 'scripted', 'scripted')],
    ['a speech-to-speech model alone', agentOf(null, 'voice', null)],
    ['an alias of a speech-to-speech model', agentOf(null, 'voice-mini', null)],
    ['a speech-to-speech model and unused configurations', agentOf('gone', 'voice', 'gone')],
  ])('is null for an agent with %s', (_what, agent) => {
    expect(incompletenessOf(agent, providers)).toBeNull();
  });

  it.each([
    [agentOf(null, null, null), 'The agent has no llm_config.'],
    [agentOf(null, 'scripted', 'scripted'), 'The agent has no stt_config, which'],
    [agentOf('scripted', 'scripted', null), 'The agent has no tts_config, which'],
    [agentOf(null, 'scripted', null), 'The agent has no stt_config and tts_config, which'],
    [agentOf('gone', 'scripted', 'scripted'), 'There is no stt provider gone in this deployment.'],
    [agentOf('scripted', 'gone', 'scripted'), 'There is no llm provider gone in this deployment.'],
    [agentOf('scripted', 'scripted', 'gone'), 'There is no tts provider gone in this deployment.'],
    [agentOf('voice', 'scripted', 'scripted'), 'There is no stt provider voice in this deployment.'],
  ])('names what is missing (%#)', (agent, message) => {
    expect(incompletenessOf(agent, providers)).toContain(message);
  });

  it('is null in a process that does not know the providers', () => {
    expect(incompletenessOf(agentOf(null, null, null), undefined)).toBeNull();
  });
});

describe('requireComplete', () => {
  it('throws agent_incomplete with what is missing', () => {
    expect(() => requireComplete(agentOf(null, null, null), providers)).toThrow(
      expect.objectContaining({ status: 422, code: 'agent_incomplete', message: 'The agent has no llm_config.' }),
    );
    expect(() => requireComplete(agentOf(null, 'voice', null), providers)).not.toThrow();
  });
});

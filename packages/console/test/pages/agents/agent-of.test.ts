// @vitest-environment happy-dom
import type { Agent } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { agentOf, copyOf } from '../../../src/app/pages/agents/create/agent-of.ts';
import type { AgentTemplate } from '../../../src/app/texts/en/agent-templates.ts';

const template: AgentTemplate = {
  ...{ id: 't', title: 'T', explanation: '', name: 'T', first_message: 'Good day.', prompt: 'Be brief.' },
  facts: { caller_name: 'string', is_urgent: 'boolean' },
};
const engines = { llm: 'openai', stt: 'deepgram', tts: 'elevenlabs', voiceId: 'v1', isRealtime: false, model: null };

describe('a new agent from a template', () => {
  it('has the chosen engines and the prompt, and an analysis that extracts the facts', () => {
    expect(agentOf(template, 'Harbour', engines)).toEqual({
      name: 'Harbour',
      first_message: 'Good day.',
      llm_config: {
        provider: 'openai',
        messages: [{ role: 'system', content: 'Be brief.' }],
        tools: [{ type: 'endCall' }],
      },
      stt_config: { provider: 'deepgram' },
      tts_config: { provider: 'elevenlabs', voiceId: 'v1' },
      analysis_plan: {
        summaryPlan: { enabled: true },
        structuredDataPlan: {
          enabled: true,
          schema: { type: 'object', properties: { caller_name: { type: 'string' }, is_urgent: { type: 'boolean' } } },
        },
      },
    });
  });

  it('has no recognizer and voice with a speech-to-speech model', () => {
    const agent = agentOf(template, 'Harbour', { ...engines, isRealtime: true });
    expect([agent.stt_config, agent.tts_config]).toEqual([undefined, undefined]);
  });

  it('has the default voice of the provider without a voice id', () => {
    expect(agentOf(template, 'Harbour', { ...engines, voiceId: '' }).tts_config).toEqual({ provider: 'elevenlabs' });
  });

  it('reuses settings of the same provider, but never the prompt and tools', () => {
    const model = {
      llm_config: { provider: 'openai', model: 'm', messages: [{ role: 'system', content: 'Old.' }] },
      stt_config: { provider: 'assemblyai', language: 'nl' },
      tts_config: { provider: 'elevenlabs', voiceId: 'v0', speed: 1.1 },
    } as unknown as Agent;
    const agent = agentOf(template, 'Harbour', { ...engines, model });
    expect(agent.llm_config).toMatchObject({ model: 'm', messages: [{ content: 'Be brief.' }] });
    expect(agent.stt_config).toEqual({ provider: 'deepgram' });
    expect(agent.tts_config).toEqual({ provider: 'elevenlabs', voiceId: 'v1', speed: 1.1 });
  });
});

describe('a copy of an agent', () => {
  it('has its settings without its identity and secret', () => {
    const agent = { ...sampleAgent(), webhook_secret: 'hidden' };
    const copy = copyOf(agent);
    expect(copy).toMatchObject({ first_message: agent.first_message, llm_config: agent.llm_config });
    expect(copy.name).not.toBe(agent.name);
    const identity = ['id', 'created_at', 'updated_at', 'webhook_secret'];
    expect(Object.keys(copy).filter((key) => identity.includes(key))).toEqual([]);
  });

  it('has a name of at most 200 characters', () => {
    expect(copyOf(sampleAgent({ name: 'x'.repeat(200) })).name).toHaveLength(200);
  });
});

import type { Agent, NewAgent } from '@va/client';
import type { AgentTemplate } from '../../../texts/en/agent-templates.ts';
import { agentTexts } from '../../../texts/en/agents.ts';
import type { Engines } from './engines.tsx';

/** Returns a new agent from a template. */
export function agentOf(template: AgentTemplate, name: string, engines: Engines): NewAgent {
  const { llm, stt, tts, voiceId, isRealtime, model } = engines;
  const properties = Object.fromEntries(Object.entries(template.facts).map(([key, type]) => [key, { type }]));
  return {
    name,
    first_message: template.first_message,
    llm_config: {
      ...settingsOf(model?.llm_config, llm),
      messages: [{ role: 'system', content: template.prompt }],
      tools: [{ type: 'endCall' }],
    },
    ...(!isRealtime && {
      stt_config: settingsOf(model?.stt_config, stt),
      tts_config: { ...settingsOf(model?.tts_config, tts), ...(voiceId !== '' && { voiceId }) },
    }),
    analysis_plan: {
      summaryPlan: { enabled: true },
      structuredDataPlan: { enabled: true, schema: { type: 'object', properties } },
    },
  };
}

/** Returns the settings for a provider, reused from a configuration of the same provider if there is one. */
function settingsOf<T extends { readonly provider: string }>(known: T | null | undefined, provider: string) {
  return known?.provider === provider ? known : { provider };
}

/** Returns the input for a copy of an agent, without its identity. */
export function copyOf(agent: Agent): NewAgent {
  const { id: _id, created_at: _created, updated_at: _updated, webhook_secret: _secret, ...settings } = agent;
  return { ...settings, name: agentTexts.copyOf(agent.name).slice(0, 200) } as NewAgent;
}

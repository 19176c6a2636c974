import type { Agent, NewAgent } from '@va/core';
import type { ConsoleService } from '../support/console-service.ts';

const reception = `You are Anna, the receptionist of Northside Dental.

Callers want to make, move or cancel an appointment, or ask about opening hours ({{opening_hours}}) and prices.
Ask for the date of birth before you look up an appointment.
Offer two times at most, and confirm the one that is chosen.

Never give medical advice. If somebody is in strong pain, transfer the call to the practice at once.`;

const engines = {
  stt_config: { provider: 'deepgram', model: 'nova-3', language: 'en' },
  tts_config: { provider: 'elevenlabs', model: 'eleven_flash_v2_5', voiceId: 'Rachel' },
};

const llm = (content: string): NonNullable<NewAgent['llm_config']> => ({
  ...{ provider: 'openai', model: 'gpt-4.1-mini', temperature: 0.3, messages: [{ role: 'system', content }] },
  tools: [{ type: 'host', name: 'find_appointment' }, { type: 'endCall' }],
});

/** Longer than it takes to take the pictures, so that no call ends because its caller is silent. */
const quiet = { silence: { timeout_ms: 600_000 } };

const agents: readonly NewAgent[] = [
  {
    name: 'Anna, reception',
    business_name: 'Northside Dental',
    first_message: 'Good morning, Northside Dental, this is Anna. How can I help you?',
    ...{ ...engines, llm_config: llm(reception) },
    ...{ speech_config: quiet, max_duration_seconds: 900 },
    analysis_plan: { summaryPlan: { enabled: true } },
    metadata: { clinic: 'northside' },
  },
  { name: 'Ben, appointments', ...engines, llm_config: llm('You book appointments.'), speech_config: quiet },
  {
    ...{ name: 'Emma, recall', ...engines, llm_config: llm('You call patients whose checkup is due.') },
    webhook_url: 'https://hooks.northside.example/calls',
  },
  { name: 'Noah, after hours', ...engines, llm_config: llm('You take messages at night.'), is_active: false },
  { name: 'Lina, Dutch line', stt_config: null, tts_config: null, llm_config: null },
];

/** Creates the agents, the newest of which is the last. */
export async function addAgents(service: ConsoleService): Promise<readonly Agent[]> {
  const created: Agent[] = [];
  for (const agent of agents) created.push(await service.va.operations.agents.create(service.orgId, agent));
  return created;
}

import type { NewAgent } from '@va/core';

/** The agent as it is created with POST /agents. */
export const agent: NewAgent = {
  name: 'Reception',
  first_message: 'Harbour Restaurant, good evening. How can I help you?',
  stt_config: { provider: 'local', language: 'en', keyterms: ['Harbour'] },
  llm_config: {
    provider: 'local',
    messages: [{ role: 'system', content: 'You answer the phone of the Harbour Restaurant, in one or two sentences.' }],
    tools: [{ type: 'endCall' }],
  },
  tts_config: { provider: 'local' },
};

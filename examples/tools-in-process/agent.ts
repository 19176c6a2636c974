import type { NewAgent } from '@va/core';

/** The agent as it is created with POST /agents. */
export const agent: NewAgent = {
  name: 'Reservations',
  first_message: 'Harbour Restaurant, good evening. How can I help you?',
  stt_config: { provider: 'deepgram', model: 'nova-3', language: 'en' },
  llm_config: {
    provider: 'openai',
    model: 'gpt-4.1-mini',
    messages: [
      {
        role: 'system',
        content: 'You take reservations. Ask for the number of people, the day and the name; then book.',
      },
    ],
    tools: [{ type: 'host', name: 'book_table' }, { type: 'endCall' }],
  },
  tts_config: { provider: 'elevenlabs', voiceId: '21m00Tcm4TlvDq8ikWAM' },
};

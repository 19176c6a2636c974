import type { NewAgent } from '@va/core';

/** The agent as it is created with POST /agents. */
export const reservations: NewAgent = {
  name: 'Reservations',
  first_message: 'Harbour Restaurant, good evening. How can I help you?',
  llm_config: {
    provider: 'openai',
    model: 'gpt-4o-mini',
    messages: [
      { role: 'system', content: 'You take reservations. Ask how many people will come, then book. Be brief.' },
    ],
    tools: [
      {
        type: 'function',
        name: 'book',
        description: 'Books a table for tonight',
        parameters: { type: 'object', properties: { people: { type: 'integer' } }, required: ['people'] },
        message: 'One moment.',
      },
      { type: 'endCall' },
    ],
  },
};

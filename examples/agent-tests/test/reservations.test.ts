import { calling, expectConversation, saying, simulateConversation } from '@va/testkit';
import { it } from 'vitest';
import { reservations } from '../reservations.ts';

it('books the table that the caller asks for, tells its number, and says goodbye', async () => {
  const conversation = await simulateConversation({
    agent: reservations,
    caller: ['I would like a table for tonight.', 'We are two.', 'No, thank you. Goodbye.'],
    // With a real model instead: llm: openai({ apiKey: process.env.OPENAI_API_KEY })
    llm: [
      saying('For how many?'),
      calling('book', { people: 2 }),
      saying('Table seven is yours. Anything else?'),
      [...saying('See you tonight.'), ...calling('endCall')],
    ],
    tools: {
      book: async ({ people }, { wait }) => {
        await wait(800); // the server takes its time
        return { table: 7, people };
      },
    },
  });

  expectConversation(conversation)
    .calledTool('book', { people: 2 }, 1)
    .calledTools(['book', 'endCall'])
    .said('one moment', { before: { said: /table seven/i } })
    .said(/table seven/i, { after: { tool: 'book' } })
    .neverSaid('sorry')
    .answeredWithin(600)
    .ended('agent_hangup');
});

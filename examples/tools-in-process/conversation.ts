import { calling, saying, simulateConversation } from '@va/testkit';
import { agent } from './agent.ts';
import { bookTable } from './book-table.ts';
import { Reservations } from './reservations.ts';

// Without keys and network: a caller and a model with fixed lines, the real agent, tool and database.
const reservations = await Reservations.open();
const { lines, tools } = await simulateConversation({
  agent,
  caller: ['A table for two on the first of May, please.', 'John Smith.', 'No, thank you. Goodbye.'],
  llm: [
    saying('With pleasure. What is your name?'),
    calling('book_table', { people: 2, day: '2027-05-01', name: 'John Smith' }),
    saying('Table one is yours. Anything else?'),
    [...saying('See you then.'), ...calling('endCall')],
  ],
  hostTools: [bookTable(reservations)],
});
for (const { speaker, text } of lines) console.log(`${speaker}: ${text}`);
console.log('tool:', JSON.stringify(tools[0]));
console.log('database:', JSON.stringify(await reservations.all()));
await reservations.close();

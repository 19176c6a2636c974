import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { calling, saying, simulateConversation } from '@va/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agent } from '../agent.ts';
import { bookTable } from '../book-table.ts';
import { Reservations } from '../reservations.ts';

let reservations: Reservations;
beforeAll(async () => {
  reservations = await Reservations.open();
});
afterAll(() => reservations.close());

const book = async (args: Record<string, unknown>) => {
  const conversation = await simulateConversation({
    agent,
    caller: ['A table, please.', 'Goodbye.'],
    llm: [calling('book_table', args), saying('Well.'), saying('Goodbye.')],
    hostTools: [bookTable(reservations)],
  });
  return conversation.tools[0]?.outcome;
};

it('books tables until the evening is full, and tells the model so', async () => {
  const wanted = { people: 4, day: '2027-05-01', name: 'John Smith' };
  expect(await book(wanted)).toEqual({ result: { table: 3, day: '2027-05-01' } });
  expect(await book(wanted)).toEqual({ result: { table: 4, day: '2027-05-01' } });
  expect(await book(wanted)).toEqual({ error: 'There is no table for 4 on 2027-05-01.' });
  expect(await book({ ...wanted, day: 'tomorrow' })).toMatchObject({
    error: expect.stringMatching(/^invalid arguments: day: /),
  });
  expect(await reservations.all()).toMatchObject([{ number: 3, name: 'John Smith' }, { number: 4 }]);
});

it('does not book twice for one request', async () => {
  const wanted = { request: 'call:1', people: 2, day: '2027-06-01', name: 'Mary Jones', phone: null };
  const first = await reservations.book(wanted);
  expect(await reservations.book(wanted)).toEqual(first);
});

it('npm run conversation shows a conversation with the tool and the database', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'conversation'], {
    cwd: join(import.meta.dirname, '..'),
  });
  expect(stdout).toContain('agent: Table one is yours. Anything else?');
  expect(stdout).toContain('database: [{"number":1,"day":"2027-05-01","name":"John Smith"');
}, 60_000);

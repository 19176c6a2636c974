import {
  type ConversationExpectations,
  calling,
  expectConversation,
  type SimulatedConversation,
  saying,
  simulateConversation,
  UnmetExpectation,
} from '@va/testkit';
import { beforeAll, describe, expect, it } from 'vitest';

let conversation: SimulatedConversation;

beforeAll(async () => {
  conversation = await simulateConversation({
    agent: {
      name: 'Anna',
      llm_config: {
        provider: 'openai',
        tools: [
          { type: 'function', name: 'find' },
          { type: 'function', name: 'book' },
        ],
      },
    },
    caller: ['A table, please.'],
    llm: [
      calling('find', { day: 'Monday', seats: { min: 2, max: 4 } }),
      [...saying('Booking it.'), ...calling('book', { table: 7 })],
      saying('Table seven is yours.'),
    ],
    tools: { find: () => [7], book: () => 'ok' },
  });
});

type Check = (expectations: ConversationExpectations) => unknown;

const met: readonly [string, Check][] = [
  ['a tool was called', (it) => it.calledTool('find')],
  ['it was called with these arguments among others', (it) => it.calledTool('find', { seats: { max: 4 } })],
  ['it was called this many times', (it) => it.calledTool('book', { table: 7 }, 1)],
  ['tools were called in this order', (it) => it.calledTools(['find', 'book'])],
  ['a tool was not called', (it) => it.neverCalledTool('cancel')],
  ['words were said, in upper or lower case', (it) => it.said('table SEVEN')],
  ['words that match a pattern were said', (it) => it.said(/table \w+ is yours/i)],
  ['words were said after a tool was called', (it) => it.said('seven', { after: { tool: 'book' } })],
  [
    'words were said between other words',
    (it) => it.said('booking', { after: { said: 'please' }, before: { said: 'yours' } }),
  ],
  ['words were not said', (it) => it.neverSaid(/sorry/g)],
  ['turns were answered in time', (it) => it.answeredWithin(600)],
  ['the call ended for this reason', (it) => it.ended('user_hangup')],
];

const unmet: readonly [string, Check, string][] = [
  ['another tool', (it) => it.calledTool('cancel'), 'it called no cancel'],
  ['other arguments', (it) => it.calledTool('book', { table: 8 }), 'it called book({"table":7}) → "ok"'],
  ['another number of calls', (it) => it.calledTool('book', {}, 2), 'to call book with {} 2 times'],
  ['another order', (it) => it.calledTools(['book', 'find']), 'it called find, then book'],
  ['a tool that was called', (it) => it.neverCalledTool('book'), 'never to call book'],
  ['other words', (it) => it.said('table eight'), 'to say "table eight", but it never did'],
  ["the caller's words", (it) => it.said('please'), 'it never did'],
  ['words too late', (it) => it.said('seven', { before: { tool: 'book' } }), 'before calling book, but it did at'],
  ['words after words never said', (it) => it.said('seven', { after: { said: 'eight' } }), 'that never happened'],
  ['words that were said', (it) => it.neverSaid('booking'), 'it said "Booking it."'],
  ['a shorter time limit', (it) => it.answeredWithin(100), 'it took 240 ms'],
  ['another end', (it) => it.ended('agent_hangup'), 'it ended by user_hangup'],
];

describe('expectConversation', () => {
  it.each(met)('passes when %s', (_name, check) => {
    check(expectConversation(conversation));
  });

  it.each(unmet)('fails on %s, with the conversation in the message', (_name, check, message) => {
    const attempt = (): unknown => check(expectConversation(conversation));
    expect(attempt).toThrow(UnmetExpectation);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow('caller: A table, please.');
  });

  it('fails on answer times without an answered turn', () => {
    const unanswered = { ...conversation, latency: null };
    expect(() => expectConversation(unanswered).answeredWithin(1_000)).toThrow('no turn was answered');
  });
});

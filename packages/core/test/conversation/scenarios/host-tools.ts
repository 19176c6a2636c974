import type { Scenario } from '@va/testkit/scenarios';
import { cut, heard } from './spoken.ts';

/* The question ends at 2,000 and its turn at 2,560, when the model replies at once. */
const question = { says: 'A table, please.', fromMs: 1_000, toMs: 2_000 };
const turn = { turn: 'A table, please.', atMs: 2_560 };
const call = { calls: 'find', args: { people: 2 } };
const called = { tool: 'find', args: { people: 2 }, atMs: 2_560 };
const agent = { llm_config: { tools: [{ type: 'host', name: 'find' }] } };
const never = { afterMs: 60_000 };

export const hostTools: readonly Scenario[] = [
  {
    name: 'gives its result to the model',
    agent,
    caller: [question],
    llm: { replies: [[call], ['Table seven.']] },
    hostTools: { find: { afterMs: 400, returns: { table: 7 } } },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, called, { result: { table: 7 }, of: 'find', atMs: 2_960 }, heard('Table seven.', 2_960)],
      requests: [
        { atMs: 2_560, last: 'A table, please.' },
        { atMs: 2_960, last: '{"table":7}' },
      ],
    },
  },
  {
    name: 'hides its error from the model',
    agent,
    caller: [question],
    llm: { replies: [[call], ['Sorry.']] },
    hostTools: { find: { throws: { message: 'password authentication failed for user "app"' } } },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, called, { error: 'The tool failed.', of: 'find', atMs: 2_560 }, heard('Sorry.', 2_580)],
      requests: [
        { atMs: 2_560, last: 'A table, please.' },
        { atMs: 2_560, last: '{"error":"The tool failed."}' },
      ],
    },
  },
  {
    name: 'tells the model an error that is meant for it',
    agent,
    caller: [question],
    llm: { replies: [[call], ['Sorry.']] },
    hostTools: { find: { throws: { message: 'There is no table free.', forModel: true } } },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, called, { error: 'There is no table free.', of: 'find', atMs: 2_560 }, heard('Sorry.', 2_580)],
    },
  },
  {
    name: 'is aborted at its timeout',
    agent,
    caller: [question],
    llm: { replies: [[call], ['Sorry.']] },
    hostTools: { find: { ...never, timeoutMs: 2_000 } },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        turn,
        called,
        { aborted: 'find', atMs: 4_560 },
        { error: 'timeout: no answer within 2 seconds', of: 'find', atMs: 4_560 },
        heard('Sorry.', 4_560),
      ],
    },
  },
  {
    name: 'is aborted when the caller hangs up',
    agent,
    caller: [question],
    llm: { replies: [[call]] },
    hostTools: { find: never },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        turn,
        called,
        { error: 'cancelled: the call ended', of: 'find', atMs: 5_000 },
        { aborted: 'find', atMs: 5_000 },
      ],
    },
  },
  {
    name: 'is aborted when the caller says something else, if it allows that',
    agent,
    caller: [question, { says: 'Never mind.', fromMs: 3_600, toMs: 4_000 }],
    llm: { replies: [[call], ['Very well.']] },
    hostTools: { find: { ...never, cancelOnInterruption: true } },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        turn,
        called,
        { turn: 'Never mind.', atMs: 4_560 },
        { aborted: 'find', atMs: 4_560 },
        { error: 'cancelled: the caller said something else', of: 'find', atMs: 4_560 },
        heard('Very well.', 4_580),
      ],
      requests: [
        { atMs: 2_560, last: 'A table, please.' },
        { atMs: 4_560, last: 'Never mind.' },
      ],
    },
  },
  {
    name: 'goes on when the caller says something else, and its result answers both turns',
    agent,
    caller: [question, { says: 'For two.', fromMs: 3_600, toMs: 4_000 }],
    llm: { replies: [[call], ['Table seven.']] },
    hostTools: { find: { afterMs: 3_000, returns: 7 } },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        turn,
        called,
        { turn: 'For two.', atMs: 4_560 },
        { result: 7, of: 'find', atMs: 5_560 },
        heard('Table seven.', 5_560),
      ],
    },
  },
  {
    name: 'runs beside another; each gets its own result',
    agent: {
      llm_config: {
        tools: [
          { type: 'host', name: 'find' },
          { type: 'host', name: 'price' },
        ],
      },
    },
    caller: [question],
    llm: { replies: [[call, { calls: 'price' }], ['Done.']] },
    hostTools: { find: { afterMs: 500, returns: 'a' }, price: { afterMs: 200, returns: 'b' } },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        turn,
        called,
        { tool: 'price', args: {}, atMs: 2_560 },
        { result: 'b', of: 'price', atMs: 2_760 },
        { result: 'a', of: 'find', atMs: 3_060 },
        heard('Done.', 3_060),
      ],
    },
  },
  {
    name: 'speaks its progress, but not while the caller speaks',
    agent,
    caller: [question, { says: 'For two.', fromMs: 5_000, toMs: 5_600 }],
    llm: { replies: [[call], ['Table seven.']] },
    hostTools: {
      find: {
        afterMs: 6_000,
        returns: 7,
        says: [
          { afterMs: 500, text: 'Still looking.' },
          { afterMs: 2_800, text: 'Nearly there.' },
        ],
      },
    },
    hangsUpAtMs: 11_000,
    expect: {
      timeline: [
        turn,
        called,
        heard('Still looking.', 3_060),
        { turn: 'For two.', atMs: 6_160 },
        { result: 7, of: 'find', atMs: 8_560 },
        heard('Table seven.', 8_560),
      ],
      transcript: [
        { caller: 'A table, please.' },
        { agent: 'Still looking.' },
        { caller: 'For two.' },
        { agent: 'Table seven.' },
      ],
    },
  },
  {
    name: 'runs for a speech-to-speech model, which reads out what it says',
    agent,
    caller: [question],
    realtime: { replies: [[call], ['Table seven.']] },
    hostTools: { find: { afterMs: 3_000, returns: 7, says: [{ afterMs: 500, text: 'Still looking.' }] } },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        { ...called, atMs: 2_660 },
        { turn: 'A table, please.', atMs: 2_860 },
        heard('Still looking.', 3_260),
        { result: 7, of: 'find', atMs: 5_660 },
        heard('Table seven.', 5_760),
      ],
    },
  },
  {
    name: 'is aborted when the caller interrupts what the agent says meanwhile',
    agent,
    caller: [question, { says: 'Stop, stop it now.', fromMs: 3_600, toMs: 4_600 }],
    llm: { replies: [['I am looking at all of the tables that we have.', call], ['Very well.']] },
    hostTools: { find: { ...never, cancelOnInterruption: true } },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        turn,
        called,
        cut('I am looking at all of the tables that we have.', 2_580, 4_100),
        { interrupted: true, atMs: 4_100 },
        { turn: 'Stop, stop it now.', atMs: 5_160 },
        { aborted: 'find', atMs: 5_160 },
        { error: 'cancelled: the caller said something else', of: 'find', atMs: 5_160 },
        heard('Very well.', 5_180),
      ],
    },
  },
];

import type { Scenario } from '@va/testkit/scenarios';
import { cut, heard, rest } from './spoken.ts';

/* The question ends at 2,000 and its turn at 2,560, when the model replies at once. */
const question = { says: 'A table, please.', fromMs: 1_000, toMs: 2_000 };
const turn = { turn: 'A table, please.', atMs: 2_560 };
const book = { type: 'function', name: 'book' };
const call = { calls: 'book', args: { people: 2 } };
const called = { tool: 'book', args: { people: 2 }, atMs: 2_560 };
const agent = { llm_config: { tools: [book] } };
const endsCall = { llm_config: { tools: [{ type: 'endCall' }] } };

/** A tool call whose response becomes `entry`, and `last` is the last message of the next request. */
function answered(
  name: string,
  answer: unknown,
  entry: { result: unknown } | { error: string },
  last: string,
): Scenario {
  return {
    name,
    agent,
    caller: [question],
    llm: { replies: [[call], ['Well.']] },
    tools: { book: [{ body: answer }] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, called, { ...entry, of: 'book', atMs: 2_560 }, heard('Well.', 2_580)],
      requests: [
        { atMs: 2_560, last: 'A table, please.' },
        { atMs: 2_560, last },
      ],
    },
  };
}

const menu = { says: 'For sales, press one.', fromMs: 1_000, toMs: 2_000 };
const menuTurn = { turn: 'For sales, press one.', atMs: 2_560 };
const pressesKeys = { llm_config: { tools: [{ type: 'pressKeys' }] } };
const pressed = { result: 'The keys are being pressed.', of: 'pressKeys', atMs: 2_560 };

function pressing(keys: string): { calls: string; args: { keys: string } } {
  return { calls: 'pressKeys', args: { keys } };
}

function refusedKeys(name: string, keys: string, error: string): Scenario {
  return {
    name,
    agent: pressesKeys,
    caller: [menu],
    llm: { replies: [[pressing(keys)], ['Well.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        menuTurn,
        { tool: 'pressKeys', args: { keys }, atMs: 2_560 },
        { error, of: 'pressKeys', atMs: 2_560 },
        heard('Well.', 2_580),
      ],
    },
  };
}

export const tools: readonly Scenario[] = [
  {
    name: 'pressKeys: sends the keys, and waits for the far end instead of asking the model again',
    agent: pressesKeys,
    caller: [menu, { says: 'You chose sales.', fromMs: 4_000, toMs: 5_000 }],
    llm: { replies: [[pressing('1 w2#')], ['I need a table.']] },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        menuTurn,
        { tool: 'pressKeys', args: { keys: '1 w2#' }, atMs: 2_560 },
        pressed,
        { keys: '1w2#', atMs: 2_560 },
        { turn: 'You chose sales.', atMs: 5_560 },
        heard('I need a table.', 5_580),
      ],
      requests: [
        { atMs: 2_560, last: 'For sales, press one.' },
        { atMs: 5_560, last: 'You chose sales.' },
      ],
    },
  },
  {
    name: 'pressKeys: sends the keys after the last word of the reply',
    agent: pressesKeys,
    caller: [menu],
    llm: { replies: [['One moment.', pressing('1')]] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        menuTurn,
        { tool: 'pressKeys', args: { keys: '1' }, atMs: 2_560 },
        pressed,
        heard('One moment.', 2_580),
        { keys: '1', atMs: 3_120 },
      ],
    },
  },
  refusedKeys('pressKeys: refuses what no phone has', '1x', 'keys must be 1 to 100 of 0-9, *, #, A-D, w and W.'),
  refusedKeys('pressKeys: refuses no keys', '', 'keys must be 1 to 100 of 0-9, *, #, A-D, w and W.'),
  {
    name: 'pressKeys: asks the model to go on when another tool ran beside it',
    agent: { llm_config: { tools: [book, { type: 'pressKeys' }] } },
    caller: [menu],
    llm: { replies: [[pressing('1'), call], ['Booked.']] },
    tools: { book: [{ afterMs: 100, body: 'table 7' }] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [
        menuTurn,
        { tool: 'pressKeys', args: { keys: '1' }, atMs: 2_560 },
        pressed,
        { tool: 'book', args: { people: 2 }, atMs: 2_560 },
        { result: 'table 7', of: 'book', atMs: 2_660 },
        heard('Booked.', 2_660),
        { keys: '1', atMs: 3_000 },
      ],
    },
  },
  answered(
    'finds its result in a list by id',
    {
      results: [
        { toolCallId: 'other', result: 1 },
        { toolCallId: 'call-1', result: { table: 7 } },
      ],
    },
    { result: { table: 7 } },
    '{"table":7}',
  ),
  answered('takes its result from the "result" field', { result: 'table 7' }, { result: 'table 7' }, 'table 7'),
  answered('uses any other response as its result', { table: 7 }, { result: { table: 7 } }, '{"table":7}'),
  answered('fails when the response has an "error" field', { error: 'full' }, { error: 'full' }, '{"error":"full"}'),
  {
    name: 'runs in parallel with others of the same reply; the model continues after the slowest',
    agent: { llm_config: { tools: [book, { type: 'function', name: 'check' }] } },
    caller: [question],
    llm: { replies: [[call, { calls: 'check' }], ['Done.']] },
    tools: { book: [{ afterMs: 500, body: 'a' }], check: [{ afterMs: 200, body: 'b' }] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        turn,
        called,
        { tool: 'check', args: {}, atMs: 2_560 },
        { result: 'b', of: 'check', atMs: 2_760 },
        { result: 'a', of: 'book', atMs: 3_060 },
        heard('Done.', 3_060),
      ],
    },
  },
  {
    name: 'speaks its message while it runs',
    agent: { llm_config: { tools: [{ ...book, message: 'One moment please.' }] } },
    caller: [question],
    llm: { replies: [[call], ['Table seven.']] },
    tools: { book: [{ afterMs: 3_000, body: 7 }] },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        turn,
        called,
        heard('One moment please.', 2_580),
        { result: 7, of: 'book', atMs: 5_560 },
        heard('Table seven.', 5_560),
      ],
      transcript: [{ caller: 'A table, please.' }, { agent: 'One moment please.' }, { agent: 'Table seven.' }],
    },
  },
  {
    name: 'does not speak its message when the reply has text',
    agent: { llm_config: { tools: [{ ...book, message: 'One moment please.' }] } },
    caller: [question],
    llm: { replies: [['I am looking.', call], ['Table seven.']] },
    tools: { book: [{ afterMs: 3_000, body: 7 }] },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        turn,
        called,
        heard('I am looking.', 2_580),
        { result: 7, of: 'book', atMs: 5_560 },
        heard('Table seven.', 5_560),
      ],
    },
  },
  {
    name: 'does not delay the reply when it is async',
    agent: { llm_config: { tools: [{ ...book, async: true }] } },
    caller: [question],
    llm: { replies: [[call], ['It is on its way.']] },
    tools: { book: [{ afterMs: 1_000, body: 7 }] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, called, { result: 'accepted', of: 'book', atMs: 2_560 }, heard('It is on its way.', 2_580)],
    },
  },
  {
    name: 'fails when the server does not respond within 10 s',
    agent,
    caller: [question],
    llm: { replies: [[call], ['Sorry.']] },
    tools: { book: [{ never: true }] },
    hangsUpAtMs: 15_000,
    expect: {
      timeline: [
        turn,
        called,
        { error: 'timeout: no answer within 10 seconds', of: 'book', atMs: 12_560 },
        heard('Sorry.', 12_560),
      ],
    },
  },
  {
    name: 'fails when the server returns 500',
    agent,
    caller: [question],
    llm: { replies: [[call], ['Sorry.']] },
    tools: { book: [{ afterMs: 100, status: 500 }] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, called, { error: 'the server answered 500', of: 'book', atMs: 2_660 }, heard('Sorry.', 2_660)],
    },
  },
  {
    name: 'fails without a request when the arguments are not a JSON object or the tool does not exist',
    agent,
    caller: [question],
    llm: { replies: [[{ calls: 'book', text: '{"people":' }, { calls: 'cook' }], ['Sorry.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        turn,
        { tool: 'book', args: '{"people":', atMs: 2_560 },
        { error: 'The arguments are not a JSON object.', of: 'book', atMs: 2_560 },
        { tool: 'cook', args: {}, atMs: 2_560 },
        { error: 'There is no tool cook.', of: 'cook', atMs: 2_560 },
        heard('Sorry.', 2_580),
      ],
    },
  },
  {
    name: 'is not offered after five steps with tools',
    agent,
    caller: [question],
    llm: { replies: [[call], [call], [call], [call], [call], ['Enough.']] },
    tools: { book: [{ afterMs: 100, body: 'more' }] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [
        turn,
        ...[0, 100, 200, 300, 400].flatMap((ms) => [
          { ...called, atMs: 2_560 + ms },
          { result: 'more', of: 'book', atMs: 2_660 + ms },
        ]),
        heard('Enough.', 3_060),
      ],
    },
  },
  {
    name: 'gives its result to the reply when the caller speaks while it runs',
    agent,
    caller: [question, { says: 'hurry up', fromMs: 3_000, toMs: 3_700 }],
    llm: { replies: [[call], ['Table seven.']] },
    tools: { book: [{ afterMs: 4_000, body: 7 }] },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        turn,
        called,
        // The turn ends 28 silent frames after its last word, which ends at 3,700.
        { turn: 'hurry up', atMs: 4_260 },
        { result: 7, of: 'book', atMs: 6_560 },
        heard('Table seven.', 6_560),
      ],
      requests: [
        { atMs: 2_560, last: 'A table, please.' },
        { atMs: 6_560, last: 'hurry up' },
      ],
    },
  },
  {
    name: 'does not count speech while it runs as a pause within the turn',
    agent: { llm_config: { tools: [{ type: 'function', name: 'book' }] } },
    caller: [
      { says: 'A table, please.', fromMs: 1_000, toMs: 2_000 },
      { says: 'hello anybody there', fromMs: 4_800, toMs: 5_400 },
    ],
    llm: { replies: [[{ calls: 'book' }], ['Here I am.']] },
    tools: { book: [{ afterMs: 3_500, body: 7 }] },
    hangsUpAtMs: 12_000,
    expect: {
      timeline: [
        { turn: 'A table, please.', atMs: 2_560 },
        { tool: 'book', args: {}, atMs: 2_560 },
        { turn: 'hello anybody there', atMs: 5_960 },
        { result: 7, of: 'book', atMs: 6_060 },
        heard('Here I am.', 6_060),
      ],
    },
  },
  {
    name: 'is cancelled when the call ends',
    agent,
    caller: [question],
    llm: { replies: [[call]] },
    tools: { book: [{ never: true }] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [turn, called, { error: 'cancelled: the call ended', of: 'book', atMs: 5_000 }] },
  },
  {
    name: 'endCall: hangs up 300 ms after the last frame of the goodbye',
    agent: endsCall,
    caller: [question],
    llm: { replies: [['Goodbye.', { calls: 'endCall' }]] },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        turn,
        { tool: 'endCall', args: {}, atMs: 2_560 },
        { result: 'The call is ending.', of: 'endCall', atMs: 2_560 },
        heard('Goodbye.', 2_580),
      ],
      // 400 ms are 20 frames; the last one is sent at 2,960.
      ended: { atMs: 3_260, reason: 'agent_hangup' },
    },
  },
  {
    name: 'endCall: speaks its message when the model gives no goodbye',
    agent: { llm_config: { tools: [{ type: 'endCall', message: 'Bye now.' }] } },
    caller: [question],
    llm: { replies: [[{ calls: 'endCall' }]] },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        turn,
        { tool: 'endCall', args: {}, atMs: 2_560 },
        { result: 'The call is ending.', of: 'endCall', atMs: 2_560 },
        heard('Bye now.', 2_580),
      ],
      ended: { atMs: 3_260, reason: 'agent_hangup' },
    },
  },
  {
    name: 'endCall: does not let the caller interrupt the goodbye',
    agent: endsCall,
    caller: [question, { says: 'wait', fromMs: 3_000, toMs: 3_800, partials: [{ atMs: 3_300, text: 'wait' }] }],
    llm: { replies: [['Goodbye, and thank you for calling.', { calls: 'endCall' }]] },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        turn,
        { tool: 'endCall', args: {}, atMs: 2_560 },
        { result: 'The call is ending.', of: 'endCall', atMs: 2_560 },
        heard('Goodbye, and thank you for calling.', 2_580),
        // Words over the goodbye are stored when the call ends.
        { turn: 'wait', atMs: 4_620 },
      ],
      // 1,750 ms are 88 frames; the last one is sent at 4,320.
      ended: { atMs: 4_620, reason: 'agent_hangup' },
    },
  },
  {
    name: 'waits while the agent is paused, and runs when it resumes',
    agent,
    caller: [question, { noise: true, fromMs: 3_000, toMs: 3_700 }],
    llm: { replies: [['Let me look that up for you now. ', { waitMs: 1_200 }, call], ['Table seven.']] },
    tools: { book: [{ body: 7 }] },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        turn,
        cut('Let me look that up for you now.', 2_580, 3_500),
        { interrupted: true, atMs: 3_500 },
        { resumed: true, atMs: 5_700 },
        { ...called, atMs: 5_700 },
        { result: 7, of: 'book', atMs: 5_700 },
        // The rest of the 1,600 ms, directly followed by the reply to the tool result.
        rest('Let me look that up for you now.Table seven.', 920, 5_700),
      ],
    },
  },
];

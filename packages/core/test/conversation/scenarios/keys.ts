import type { Scenario } from '@va/testkit/scenarios';
import { cut, heard } from './spoken.ts';

/* Keys are pressed every 200 ms, each directly after the frame of its time. */
const story = 'One two three four five six seven eight nine ten eleven twelve.';
const thanks = { replies: [['Thank you.']] } as const;

export const keys: readonly Scenario[] = [
  {
    name: 'become a turn timeout_ms (2,000) after the last key',
    caller: [{ presses: '12', atMs: 1_000 }],
    llm: thanks,
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [{ turn: '[keys pressed: 12]', atMs: 3_200 }, heard('Thank you.', 3_200)],
      requests: [{ atMs: 3_200, last: '[keys pressed: 12]' }],
      transcript: [{ caller: '[keys pressed: 12]' }, { agent: 'Thank you.' }],
    },
  },
  {
    name: 'are completed by the terminator, which is not part of them',
    caller: [{ presses: '12#', atMs: 1_000 }],
    llm: thanks,
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ turn: '[keys pressed: 12]', atMs: 1_400 }, heard('Thank you.', 1_420)] },
  },
  {
    name: 'include the terminator when it is the only key',
    caller: [{ presses: '#', atMs: 1_000 }],
    llm: thanks,
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ turn: '[keys pressed: #]', atMs: 1_000 }, heard('Thank you.', 1_020)] },
  },
  {
    name: 'are completed by a custom terminator, and # is then an ordinary key',
    agent: { speech_config: { dtmf: { terminator: '*' } } },
    caller: [{ presses: '1#*', atMs: 1_000 }],
    llm: thanks,
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ turn: '[keys pressed: 1#]', atMs: 1_400 }, heard('Thank you.', 1_420)] },
  },
  {
    name: 'are completed by max_digits, and later keys start another group',
    agent: { speech_config: { dtmf: { max_digits: 4 } } },
    caller: [{ presses: '12345', atMs: 1_000 }],
    llm: { replies: [['Thank you.'], ['And five.']] },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        { turn: '[keys pressed: 1234]', atMs: 1_600 },
        // The fifth key interrupts the reply.
        cut('Thank you.', 1_620, 1_820),
        { interrupted: true, atMs: 1_800 },
        { turn: '[keys pressed: 5]', atMs: 3_800 },
        heard('And five.', 3_800),
      ],
    },
  },
  {
    name: 'interrupt the agent at the first key',
    agent: { first_message: story },
    caller: [{ presses: '1', atMs: 1_010 }],
    llm: thanks,
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [
        cut(story, 20, 1_020),
        { interrupted: true, atMs: 1_010 },
        { turn: '[keys pressed: 1]', atMs: 3_010 },
        heard('Thank you.', 3_020),
      ],
      interruptionsMs: [],
    },
  },
  {
    name: 'restart timeout_ms with each key',
    agent: { speech_config: { dtmf: { timeout_ms: 500 } } },
    caller: [{ presses: '123', atMs: 1_000, everyMs: 400 }],
    llm: thanks,
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ turn: '[keys pressed: 123]', atMs: 2_300 }, heard('Thank you.', 2_300)] },
  },
  {
    name: 'are ignored by the conversation when dtmf is disabled',
    agent: { first_message: story, speech_config: { dtmf: { enabled: false } } },
    caller: [{ presses: '12#', atMs: 1_000 }],
    hangsUpAtMs: 6_000,
    expect: { timeline: [heard(story, 20)], requests: [] },
  },
];

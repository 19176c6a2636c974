import type { Scenario } from '@va/testkit/scenarios';
import { cut, heard } from './spoken.ts';

/* Keys come every 200 ms, each just after the frame of its moment. */
const story = 'One two three four five six seven eight nine ten eleven twelve.';
const thanks = { replies: [['Thank you.']] } as const;

export const keys: readonly Scenario[] = [
  {
    name: 'keys are a turn timeout_ms (2,000) after the last one',
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
    name: 'the terminator completes them, and is not one of them',
    caller: [{ presses: '12#', atMs: 1_000 }],
    llm: thanks,
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ turn: '[keys pressed: 12]', atMs: 1_400 }, heard('Thank you.', 1_420)] },
  },
  {
    name: 'a terminator alone is a key',
    caller: [{ presses: '#', atMs: 1_000 }],
    llm: thanks,
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ turn: '[keys pressed: #]', atMs: 1_000 }, heard('Thank you.', 1_020)] },
  },
  {
    name: 'another terminator is one, and # then is a key like others',
    agent: { speech_config: { dtmf: { terminator: '*' } } },
    caller: [{ presses: '1#*', atMs: 1_000 }],
    llm: thanks,
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ turn: '[keys pressed: 1#]', atMs: 1_400 }, heard('Thank you.', 1_420)] },
  },
  {
    name: 'max_digits complete them at once, and what comes after is another group',
    agent: { speech_config: { dtmf: { max_digits: 4 } } },
    caller: [{ presses: '12345', atMs: 1_000 }],
    llm: { replies: [['Thank you.'], ['And five.']] },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        { turn: '[keys pressed: 1234]', atMs: 1_600 },
        // The fifth key interrupts.
        cut('Thank you.', 1_620, 1_820),
        { interrupted: true, atMs: 1_800 },
        { turn: '[keys pressed: 5]', atMs: 3_800 },
        heard('And five.', 3_800),
      ],
    },
  },
  {
    name: 'the first key interrupts the agent at once',
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
    name: 'timeout_ms begins anew with each key',
    agent: { speech_config: { dtmf: { timeout_ms: 500 } } },
    caller: [{ presses: '123', atMs: 1_000, everyMs: 400 }],
    llm: thanks,
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ turn: '[keys pressed: 123]', atMs: 2_300 }, heard('Thank you.', 2_300)] },
  },
  {
    name: 'turned off they are nothing to the conversation',
    agent: { first_message: story, speech_config: { dtmf: { enabled: false } } },
    caller: [{ presses: '12#', atMs: 1_000 }],
    hangsUpAtMs: 6_000,
    expect: { timeline: [heard(story, 20)], requests: [] },
  },
];

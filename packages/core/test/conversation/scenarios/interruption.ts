import type { Scenario } from '@va/testkit/scenarios';
import { cut, heard, rest } from './spoken.ts';

/*
 * The first message starts with the first frame, 20 ms after the answer. Speech counts from its first sample. A
 * decision by a timer applies to the frame of that time, a decision by words to the next one.
 */
const story = 'One two three four five six seven eight nine ten eleven twelve.';

export const interruption: readonly Scenario[] = [
  {
    name: 'min_duration_ms (500) of speech pauses the agent, and the first word interrupts it',
    agent: { first_message: story },
    caller: [{ says: 'wait a moment', fromMs: 1_000, toMs: 1_700, partials: [{ atMs: 1_600, text: 'wait a moment' }] }],
    llm: { replies: [['Yes?']] },
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [
        cut(story, 20, 1_500),
        { interrupted: true, atMs: 1_500 },
        // After 28 silent frames.
        { turn: 'wait a moment', atMs: 2_260 },
        heard('Yes?', 2_280),
      ],
      // 1,480 ms were heard; "seven" lasts from 1,400 to 1,650.
      transcript: [{ agent: 'One two three four five six' }, { caller: 'wait a moment' }, { agent: 'Yes?' }],
      interruptionsMs: [500],
    },
  },
  {
    // The first silent frame after 460 ms is complete at 480 ms.
    name: 'speech shorter than min_duration_ms does not pause the agent',
    agent: { first_message: story },
    caller: [{ noise: true, fromMs: 1_000, toMs: 1_460 }],
    hangsUpAtMs: 4_000,
    expect: { timeline: [heard(story, 20)], transcript: [{ agent: story }], interruptionsMs: [] },
  },
  {
    name: 'the agent resumes with the next sample resume_after_ms (2,000) after a noise without words',
    agent: { first_message: story },
    caller: [{ noise: true, fromMs: 1_000, toMs: 1_700 }],
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [
        cut(story, 20, 1_500),
        { interrupted: true, atMs: 1_500 },
        { resumed: true, atMs: 3_700 },
        rest(story, 1_480, 3_700),
      ],
      transcript: [{ agent: story }],
    },
  },
  {
    name: 'a noise stops the agent for good when resume_after_ms is 0',
    agent: { first_message: story, speech_config: { interruption: { resume_after_ms: 0 } } },
    caller: [{ noise: true, fromMs: 1_000, toMs: 1_700 }],
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [cut(story, 20, 1_500), { interrupted: true, atMs: 1_500 }],
      transcript: [{ agent: 'One two three four five six' }],
    },
  },
  {
    name: 'with min_words 2, the second word interrupts, and speech of any length does not',
    agent: { first_message: story, speech_config: { interruption: { min_words: 2 } } },
    caller: [
      {
        says: 'excuse me',
        fromMs: 1_000,
        toMs: 2_000,
        partials: [
          { atMs: 1_600, text: 'excuse' },
          { atMs: 1_800, text: 'excuse me' },
        ],
      },
    ],
    llm: { replies: [['Yes?']] },
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [
        cut(story, 20, 1_820),
        { interrupted: true, atMs: 1_800 },
        { turn: 'excuse me', atMs: 2_560 },
        heard('Yes?', 2_580),
      ],
      interruptionsMs: [800],
    },
  },
  {
    name: 'a backchannel over the agent does not pause it',
    agent: { first_message: story },
    caller: [{ says: 'uh-huh', fromMs: 1_000, toMs: 1_700, partials: [{ atMs: 1_400, text: 'uh-huh' }] }],
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [heard(story, 20), { turn: 'uh-huh', atMs: 2_260 }],
      transcript: [{ agent: story }, { caller: 'uh-huh' }],
      requests: [],
    },
  },
  {
    name: 'a backchannel that is recognized after the agent has paused resumes it',
    agent: { first_message: story },
    caller: [{ says: 'uh-huh', fromMs: 1_000, toMs: 1_600 }],
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        cut(story, 20, 1_500),
        { interrupted: true, atMs: 1_500 },
        { resumed: true, atMs: 2_160 },
        { turn: 'uh-huh', atMs: 2_160 },
        rest(story, 1_480, 2_180),
      ],
    },
  },
  {
    name: 'a backchannel interrupts like other words when ignore_backchannels is off',
    agent: { first_message: story, speech_config: { interruption: { ignore_backchannels: false } } },
    caller: [{ says: 'uh-huh', fromMs: 1_000, toMs: 1_700, partials: [{ atMs: 1_400, text: 'uh-huh' }] }],
    llm: { replies: [['So?']] },
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [
        cut(story, 20, 1_500),
        { interrupted: true, atMs: 1_500 },
        { turn: 'uh-huh', atMs: 2_260 },
        heard('So?', 2_280),
      ],
    },
  },
  {
    name: 'a "yes" over a question is answered after the question has been played',
    agent: { first_message: 'Shall I book the table by the window for seven tonight?' },
    caller: [{ says: 'yes', fromMs: 300, toMs: 600, partials: [{ atMs: 500, text: 'yes' }] }],
    llm: { replies: [['Booked.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        heard('Shall I book the table by the window for seven tonight?', 20),
        { turn: 'yes', atMs: 1_160 },
        // 55 letters are 138 frames; the last frame triggers the request, and the next one carries the reply.
        heard('Booked.', 2_780),
      ],
      requests: [{ atMs: 2_760, last: 'yes' }],
    },
  },
  {
    name: 'words over a first message that is not interruptible are answered after it',
    agent: { first_message: story, speech_config: { first_message_interruptible: false } },
    caller: [{ says: 'hello hello', fromMs: 1_000, toMs: 1_700, partials: [{ atMs: 1_300, text: 'hello hello' }] }],
    llm: { replies: [['Hello.']] },
    hangsUpAtMs: 5_000,
    expect: {
      // 63 letters are 158 frames; the last one is sent at 3,160.
      timeline: [heard(story, 20), { turn: 'hello hello', atMs: 2_260 }, heard('Hello.', 3_180)],
      requests: [{ atMs: 3_160, last: 'hello hello' }],
    },
  },
  {
    name: 'nothing interrupts within echo_warmup_ms of the first audio; continuing speech interrupts after it',
    agent: { first_message: story, speech_config: { interruption: { echo_warmup_ms: 1_500 } } },
    caller: [
      { noise: true, fromMs: 200, toMs: 900 },
      { says: 'stop it', fromMs: 1_000, toMs: 1_800, partials: [{ atMs: 1_600, text: 'stop it' }] },
    ],
    llm: { replies: [['Yes?']] },
    hangsUpAtMs: 4_000,
    expect: {
      // The first audio is at 20. The speech, joined with the noise before it, interrupts at 1,520.
      timeline: [
        cut(story, 20, 1_520),
        { interrupted: true, atMs: 1_520 },
        { turn: 'stop it', atMs: 2_360 },
        heard('Yes?', 2_380),
      ],
    },
  },
  {
    name: 'the agent always finishes when interruption is off',
    agent: { first_message: story, speech_config: { interruption: { enabled: false } } },
    caller: [{ says: 'stop it', fromMs: 1_000, toMs: 1_800, partials: [{ atMs: 1_300, text: 'stop it' }] }],
    llm: { replies: [['Yes?']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [heard(story, 20), { turn: 'stop it', atMs: 2_360 }, heard('Yes?', 3_180)] },
  },
  {
    name: 'the message of a running tool is not interrupted when during_tools is off',
    agent: {
      llm_config: { tools: [{ type: 'function', name: 'book', message: 'One moment, I am looking for a table.' }] },
      speech_config: { interruption: { during_tools: false } },
    },
    caller: [
      { says: 'A table, please.', fromMs: 1_000, toMs: 2_000 },
      { says: 'hurry up', fromMs: 3_000, toMs: 3_700, partials: [{ atMs: 3_400, text: 'hurry up' }] },
    ],
    llm: { replies: [[{ calls: 'book' }], ['Table seven.']] },
    tools: { book: [{ afterMs: 4_000, body: { result: 7 } }] },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        { turn: 'A table, please.', atMs: 2_560 },
        { tool: 'book', args: {}, atMs: 2_560 },
        heard('One moment,I am looking for a table.', 2_580),
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
];

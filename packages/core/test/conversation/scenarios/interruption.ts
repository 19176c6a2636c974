import type { Scenario } from '@va/testkit/scenarios';
import { cut, heard, rest } from './spoken.ts';

/*
 * The first message leaves with the first frame, 20 ms after the answer. The caller's speech counts from its first
 * sample; what is decided by a timer holds for the frame of that moment, what words decide for the one after it.
 */
const story = 'One two three four five six seven eight nine ten eleven twelve.';

export const interruption: readonly Scenario[] = [
  {
    name: 'speech of min_duration_ms (500) holds the agent, and its first word makes it an interruption',
    agent: { first_message: story },
    caller: [{ says: 'wait a moment', fromMs: 1_000, toMs: 1_700, partials: [{ atMs: 1_600, text: 'wait a moment' }] }],
    llm: { replies: [['Yes?']] },
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [
        cut(story, 20, 1_500),
        { interrupted: true, atMs: 1_500 },
        // 28 silent frames.
        { turn: 'wait a moment', atMs: 2_260 },
        heard('Yes?', 2_280),
      ],
      // 1,480 ms were heard: "seven" goes from 1,400 to 1,650.
      transcript: [{ agent: 'One two three four five six' }, { caller: 'wait a moment' }, { agent: 'Yes?' }],
      interruptionsMs: [500],
    },
  },
  {
    // The frame that tells of the silence after 460 ms is complete at 480.
    name: 'speech that is shorter does not',
    agent: { first_message: story },
    caller: [{ noise: true, fromMs: 1_000, toMs: 1_460 }],
    hangsUpAtMs: 4_000,
    expect: { timeline: [heard(story, 20)], transcript: [{ agent: story }], interruptionsMs: [] },
  },
  {
    name: 'a noise without words lets the agent go on with the very next sample, resume_after_ms (2,000) after it',
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
    name: 'with resume_after_ms 0 a noise stops the agent for good',
    agent: { first_message: story, speech_config: { interruption: { resume_after_ms: 0 } } },
    caller: [{ noise: true, fromMs: 1_000, toMs: 1_700 }],
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [cut(story, 20, 1_500), { interrupted: true, atMs: 1_500 }],
      transcript: [{ agent: 'One two three four five six' }],
    },
  },
  {
    name: 'with min_words 2 the second word interrupts, and no length of speech',
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
    name: 'an "uh-huh" over the agent lets it speak on without a pause',
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
    name: 'an "uh-huh" that is recognized after half a second lets the agent go on when it is',
    agent: { first_message: story },
    caller: [{ says: 'uh-huh', fromMs: 1_000, toMs: 1_600 }],
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        cut(story, 20, 1_500),
        { interrupted: true, atMs: 1_500 },
        { turn: 'uh-huh', atMs: 2_160 },
        { resumed: true, atMs: 2_160 },
        rest(story, 1_480, 2_180),
      ],
    },
  },
  {
    name: 'with ignore_backchannels off an "uh-huh" interrupts like other words',
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
    name: 'a "yes" over a question is its answer, taken up when the question has been asked',
    agent: { first_message: 'Shall I book the table by the window for seven tonight?' },
    caller: [{ says: 'yes', fromMs: 300, toMs: 600, partials: [{ atMs: 500, text: 'yes' }] }],
    llm: { replies: [['Booked.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        heard('Shall I book the table by the window for seven tonight?', 20),
        { turn: 'yes', atMs: 1_160 },
        // 55 letters are 138 frames; with the last one the model is asked, and the next one carries its answer.
        heard('Booked.', 2_780),
      ],
      requests: [{ atMs: 2_760, last: 'yes' }],
    },
  },
  {
    name: 'a first message that may not be interrupted is heard out, and the words over it are answered after it',
    agent: { first_message: story, speech_config: { first_message_interruptible: false } },
    caller: [{ says: 'hello hello', fromMs: 1_000, toMs: 1_700, partials: [{ atMs: 1_300, text: 'hello hello' }] }],
    llm: { replies: [['Hello.']] },
    hangsUpAtMs: 5_000,
    expect: {
      // 63 letters are 158 frames: the last one leaves at 3,160.
      timeline: [heard(story, 20), { turn: 'hello hello', atMs: 2_260 }, heard('Hello.', 3_180)],
      requests: [{ atMs: 3_160, last: 'hello hello' }],
    },
  },
  {
    name: 'in the echo_warmup_ms after the first sound nothing interrupts; speech that goes on does at their end',
    agent: { first_message: story, speech_config: { interruption: { echo_warmup_ms: 1_500 } } },
    caller: [
      { noise: true, fromMs: 200, toMs: 900 },
      { says: 'stop it', fromMs: 1_000, toMs: 1_800, partials: [{ atMs: 1_600, text: 'stop it' }] },
    ],
    llm: { replies: [['Yes?']] },
    hangsUpAtMs: 4_000,
    expect: {
      // The first sound is at 20; what is one speech with the noise before it interrupts at 1,520.
      timeline: [
        cut(story, 20, 1_520),
        { interrupted: true, atMs: 1_520 },
        { turn: 'stop it', atMs: 2_360 },
        heard('Yes?', 2_380),
      ],
    },
  },
  {
    name: 'with interruption off the agent always finishes',
    agent: { first_message: story, speech_config: { interruption: { enabled: false } } },
    caller: [{ says: 'stop it', fromMs: 1_000, toMs: 1_800, partials: [{ atMs: 1_300, text: 'stop it' }] }],
    llm: { replies: [['Yes?']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [heard(story, 20), { turn: 'stop it', atMs: 2_360 }, heard('Yes?', 3_180)] },
  },
  {
    name: 'with during_tools off a caller does not interrupt what is said while a tool runs',
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

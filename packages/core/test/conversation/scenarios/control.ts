import type { Scenario } from '@va/testkit/scenarios';
import { cut, heard } from './spoken.ts';

/* A command is carried out just after the frame of its moment: the next one, 20 ms later, shows what came of it. */
const story = 'One two three four five six seven eight nine ten eleven twelve.';

export const control: readonly Scenario[] = [
  {
    name: 'say is said at once',
    control: [{ atMs: 1_000, command: { type: 'say', content: 'We close in five minutes.' } }],
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [heard('We close in five minutes.', 1_020)],
      transcript: [{ agent: 'We close in five minutes.' }],
    },
  },
  {
    name: 'say waits for what the agent is saying',
    agent: { first_message: 'Hello.' },
    control: [{ atMs: 100, command: { type: 'say', content: 'We close soon.' } }],
    hangsUpAtMs: 4_000,
    // 300 ms are 15 whole frames: there is no gap between them.
    expect: { timeline: [heard('Hello.We close soon.', 20)] },
  },
  {
    name: 'say that is not interruptible is heard out, and the caller is answered after it',
    control: [{ atMs: 1_000, command: { type: 'say', content: story, interruptible: false } }],
    caller: [{ says: 'stop it', fromMs: 2_000, toMs: 2_800, partials: [{ atMs: 2_300, text: 'stop it' }] }],
    llm: { replies: [['Yes?']] },
    hangsUpAtMs: 7_000,
    // 158 frames until 4,160.
    expect: { timeline: [heard(story, 1_020), { turn: 'stop it', atMs: 3_360 }, heard('Yes?', 4_180)] },
  },
  {
    name: 'say with end_after hangs up 300 ms after its last frame',
    control: [{ atMs: 1_000, command: { type: 'say', content: 'We close now.', end_after: true } }],
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [heard('We close now.', 1_020)],
      // 650 ms are 33 frames: the last one leaves at 1,660.
      ended: { atMs: 1_960, reason: 'api_hangup' },
    },
  },
  {
    name: 'inject-context tells the model, which says nothing of it until it is asked',
    control: [{ atMs: 500, command: { type: 'inject-context', content: 'The caller is Jan.' } }],
    caller: [{ says: 'Is it open?', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['Yes, Jan.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [{ turn: 'Is it open?', atMs: 2_560 }, heard('Yes, Jan.', 2_580)],
      requests: [{ atMs: 2_560, last: 'Is it open?' }],
      transcript: [{ caller: 'Is it open?' }, { agent: 'Yes, Jan.' }],
    },
  },
  {
    name: 'inject-context with trigger_response has it speak at once',
    control: [
      { atMs: 1_000, command: { type: 'inject-context', content: 'The order is ready.', trigger_response: true } },
    ],
    llm: { replies: [['Your order is ready.']] },
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [heard('Your order is ready.', 1_020)],
      requests: [{ atMs: 1_000, last: 'The order is ready.' }],
    },
  },
  {
    name: 'end-call hangs up at once',
    agent: { first_message: story },
    control: [{ atMs: 1_000, command: { type: 'end-call' } }],
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [cut(story, 20, 1_020), { interrupted: true, atMs: 1_000 }],
      ended: { atMs: 1_000, reason: 'api_hangup' },
    },
  },
  {
    name: 'end-call with a message says it first',
    control: [{ atMs: 1_000, command: { type: 'end-call', message: 'Goodbye.' } }],
    hangsUpAtMs: 4_000,
    // 20 frames until 1,400.
    expect: { timeline: [heard('Goodbye.', 1_020)], ended: { atMs: 1_700, reason: 'api_hangup' } },
  },
  {
    name: 'mute-assistant silences the agent at once; the caller is answered once it is unmuted',
    agent: { first_message: story },
    control: [
      { atMs: 1_000, command: { type: 'mute-assistant' } },
      { atMs: 5_000, command: { type: 'unmute-assistant' } },
    ],
    caller: [{ says: 'Is it open?', fromMs: 2_000, toMs: 3_000 }],
    llm: { replies: [['Yes.']] },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        cut(story, 20, 1_020),
        { interrupted: true, atMs: 1_000 },
        { turn: 'Is it open?', atMs: 3_560 },
        heard('Yes.', 5_020),
      ],
      requests: [{ atMs: 5_000, last: 'Is it open?' }],
    },
  },
  {
    name: 'send-dtmf presses keys for the far end',
    control: [{ atMs: 1_000, command: { type: 'send-dtmf', digits: '12#' } }],
    hangsUpAtMs: 4_000,
    expect: { timeline: [{ keys: '12#', atMs: 1_000 }] },
  },
];

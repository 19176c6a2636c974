import type { Scenario } from '@va/testkit/scenarios';
import { cut, heard } from './spoken.ts';

/* A command runs directly after the frame of its time; the next frame, 20 ms later, shows its effect. */
const story = 'One two three four five six seven eight nine ten eleven twelve.';

export const control: readonly Scenario[] = [
  {
    name: 'say: speaks at once',
    control: [{ atMs: 1_000, command: { type: 'say', content: 'We close in five minutes.' } }],
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [heard('We close in five minutes.', 1_020)],
      transcript: [{ agent: 'We close in five minutes.' }],
    },
  },
  {
    name: 'say: waits until the agent has finished speaking',
    agent: { first_message: 'Hello.' },
    control: [{ atMs: 100, command: { type: 'say', content: 'We close soon.' } }],
    hangsUpAtMs: 4_000,
    // 300 ms are 15 whole frames, so there is no gap.
    expect: { timeline: [heard('Hello.We close soon.', 20)] },
  },
  {
    name: 'say: plays to its end when not interruptible, and the caller is answered after it',
    control: [{ atMs: 1_000, command: { type: 'say', content: story, interruptible: false } }],
    caller: [{ says: 'stop it', fromMs: 2_000, toMs: 2_800, partials: [{ atMs: 2_300, text: 'stop it' }] }],
    llm: { replies: [['Yes?']] },
    hangsUpAtMs: 7_000,
    // The last of 158 frames is sent at 4,160.
    expect: { timeline: [heard(story, 1_020), { turn: 'stop it', atMs: 3_360 }, heard('Yes?', 4_180)] },
  },
  {
    name: 'say: hangs up 300 ms after its last frame when end_after is set',
    control: [{ atMs: 1_000, command: { type: 'say', content: 'We close now.', end_after: true } }],
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [heard('We close now.', 1_020)],
      // 650 ms are 33 frames; the last one is sent at 1,660.
      ended: { atMs: 1_960, reason: 'api_hangup' },
    },
  },
  {
    name: 'inject-context: adds a message for the next request without starting one',
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
    name: 'inject-context: requests a reply at once when trigger_response is set',
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
    name: 'end-call: hangs up at once',
    agent: { first_message: story },
    control: [{ atMs: 1_000, command: { type: 'end-call' } }],
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [cut(story, 20, 1_020), { interrupted: true, atMs: 1_000 }],
      ended: { atMs: 1_000, reason: 'api_hangup' },
    },
  },
  {
    name: 'end-call: speaks its message first',
    control: [{ atMs: 1_000, command: { type: 'end-call', message: 'Goodbye.' } }],
    hangsUpAtMs: 4_000,
    // The last of 20 frames is sent at 1,400.
    expect: { timeline: [heard('Goodbye.', 1_020)], ended: { atMs: 1_700, reason: 'api_hangup' } },
  },
  {
    name: 'mute-assistant: stops the agent at once, and answers the caller after unmute-assistant',
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
    name: 'send-dtmf: sends the digits to the far end',
    control: [{ atMs: 1_000, command: { type: 'send-dtmf', digits: '12#' } }],
    hangsUpAtMs: 4_000,
    expect: { timeline: [{ keys: '12#', atMs: 1_000 }] },
  },
];

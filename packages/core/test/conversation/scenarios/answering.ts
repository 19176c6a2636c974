import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/* Played on an outbound call. The end of speech is reported after 28 silent frames (560 ms). */
const agent = { first_message: 'Hello, this is Anna.', voicemail_message: 'Please call us back.' };
const greeting = 'Hello,this is Anna.';
const machine = {
  says: 'You have reached Jan. Please leave a message after the tone.',
  fromMs: 400,
  toMs: 3_400,
  partials: [{ atMs: 2_600, text: 'You have reached Jan. Please leave a message' }],
};
const machineTurn = { turn: 'You have reached Jan. Please leave a message after the tone.', atMs: 3_960 };

export const answering: readonly Scenario[] = [
  {
    name: 'greets a person after the pause that follows their hello, without a request to the model',
    agent,
    caller: [{ says: 'Hello?', fromMs: 400, toMs: 1_000 }],
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [{ answeredBy: 'human', atMs: 1_560 }, { turn: 'Hello?', atMs: 1_560 }, heard(greeting, 1_580)],
      requests: [],
    },
  },
  {
    name: 'greets a callee who says nothing for 4 s',
    agent,
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ answeredBy: 'silence', atMs: 4_000 }, heard(greeting, 4_000)] },
  },
  {
    name: 'detects a voicemail by its words, and leaves the message after its beep',
    agent,
    caller: [machine, { beeps: true, fromMs: 4_000, toMs: 4_400 }],
    hangsUpAtMs: 9_000,
    expect: {
      // The beep detector looks back 32 ms: at 4,420 the window still contains the beep; the next three windows do not.
      timeline: [{ answeredBy: 'voicemail', atMs: 2_600 }, machineTurn, heard('Please call us back.', 4_500)],
      requests: [],
      // The last of 50 frames is sent at 5,480.
      ended: { atMs: 5_780, reason: 'voicemail' },
    },
  },
  {
    name: 'leaves the message 3 s after the last word of a voicemail without a beep',
    agent,
    caller: [machine],
    hangsUpAtMs: 12_000,
    expect: {
      timeline: [{ answeredBy: 'voicemail', atMs: 2_600 }, machineTurn, heard('Please call us back.', 6_400)],
      // The last of 50 frames is sent at 7,380.
      ended: { atMs: 7_680, reason: 'voicemail' },
    },
  },
  {
    name: 'hangs up on a voicemail at once when there is no voicemail_message',
    agent: { first_message: 'Hello.' },
    caller: [machine],
    hangsUpAtMs: 12_000,
    expect: {
      timeline: [
        { answeredBy: 'voicemail', atMs: 2_600 },
        { turn: 'You have reached Jan. Please leave a message', atMs: 2_600 },
      ],
      ended: { atMs: 2_600, reason: 'voicemail' },
    },
  },
  {
    name: 'treats 4.5 s of speech without a pause as a machine, whatever the words',
    agent: { first_message: 'Hello.' },
    caller: [{ noise: true, fromMs: 400, toMs: 6_000 }],
    hangsUpAtMs: 12_000,
    expect: { timeline: [{ answeredBy: 'voicemail', atMs: 4_900 }], ended: { atMs: 4_900, reason: 'voicemail' } },
  },
  {
    name: 'answers a screening service with the model when it has finished',
    agent,
    caller: [
      {
        says: 'Please record your name and reason for calling.',
        fromMs: 400,
        toMs: 2_400,
        partials: [{ atMs: 2_000, text: 'Please record your name and reason for calling' }],
      },
    ],
    llm: { replies: [['This is Anna of the bakery.']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [
        { answeredBy: 'screening', atMs: 2_000 },
        { turn: 'Please record your name and reason for calling.', atMs: 2_960 },
        heard('This is Anna of the bakery.', 2_980),
      ],
    },
  },
  {
    name: 'answers an IVR menu with the model',
    agent,
    caller: [
      {
        says: 'For sales, press one.',
        fromMs: 400,
        toMs: 2_400,
        partials: [{ atMs: 2_000, text: 'For sales, press one' }],
      },
    ],
    llm: { replies: [['Sales.']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [
        { answeredBy: 'ivr', atMs: 2_000 },
        { turn: 'For sales, press one.', atMs: 2_960 },
        heard('Sales.', 2_980),
      ],
    },
  },
  {
    name: 'stores the hello of a person before the greeting',
    agent: { first_message: 'Hello, this is Anna.' },
    caller: [{ says: 'Hello?', fromMs: 400, toMs: 1_000 }],
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [
        { answeredBy: 'human', atMs: 1_560 },
        { turn: 'Hello?', atMs: 1_560 },
        heard('Hello,this is Anna.', 1_580),
      ],
      transcript: [{ caller: 'Hello?' }, { agent: 'Hello, this is Anna.' }],
    },
  },
];

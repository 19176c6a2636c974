import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/* Played on a call that was placed. The far end's sound is reported over 28 frames (560 ms) after it. */
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
    name: 'a person who says hello is greeted when the pause after it is long enough, and the model is not asked',
    agent,
    caller: [{ says: 'Hello?', fromMs: 400, toMs: 1_000 }],
    hangsUpAtMs: 4_000,
    expect: {
      timeline: [{ answeredBy: 'human', atMs: 1_560 }, { turn: 'Hello?', atMs: 1_560 }, heard(greeting, 1_580)],
      requests: [],
    },
  },
  {
    name: 'who says nothing for 4 s is greeted',
    agent,
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ answeredBy: 'silence', atMs: 4_000 }, heard(greeting, 4_000)] },
  },
  {
    name: 'a voicemail is known by its words, and gets the message when three looks have heard no more of its beep',
    agent,
    caller: [machine, { beeps: true, fromMs: 4_000, toMs: 4_400 }],
    hangsUpAtMs: 9_000,
    expect: {
      // A look goes back 32 ms: the one at 4,420 still has some of it, those until 4,480 have not.
      timeline: [{ answeredBy: 'voicemail', atMs: 2_600 }, machineTurn, heard('Please call us back.', 4_500)],
      requests: [],
      // 50 frames until 5,480.
      ended: { atMs: 5_780, reason: 'voicemail' },
    },
  },
  {
    name: 'a voicemail that does not beep gets it 3 s after its last word',
    agent,
    caller: [machine],
    hangsUpAtMs: 12_000,
    expect: {
      timeline: [{ answeredBy: 'voicemail', atMs: 2_600 }, machineTurn, heard('Please call us back.', 6_400)],
      // 50 frames until 7,380.
      ended: { atMs: 7_680, reason: 'voicemail' },
    },
  },
  {
    name: 'without a message for it a voicemail is hung up on at once',
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
    name: 'who speaks for 4.5 s without a pause is a machine, whatever it says',
    agent: { first_message: 'Hello.' },
    caller: [{ noise: true, fromMs: 400, toMs: 6_000 }],
    hangsUpAtMs: 12_000,
    expect: { timeline: [{ answeredBy: 'voicemail', atMs: 4_900 }], ended: { atMs: 4_900, reason: 'voicemail' } },
  },
  {
    name: 'a screening service is told by the model who is calling, when it has finished',
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
    name: 'a menu is answered by the model',
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
    name: 'the hello of a person stands before the greeting in the transcript',
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

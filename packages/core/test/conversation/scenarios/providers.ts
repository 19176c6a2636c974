import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/* The question ends at 2,000 and its turn at 2,560. A fallback has its turn at once, or after 5 s of nothing. */
const question = { says: 'Is it open?', fromMs: 1_000, toMs: 2_000 };
const turn = { turn: 'Is it open?', atMs: 2_560 };
const asked = { atMs: 2_560, last: 'Is it open?' };
/** Spoken by the second voice. */
const byFallback = (text: string, fromMs: number): ReturnType<typeof heard> => ({
  ...heard(text, fromMs),
  voice: 'fallback',
});

export const providers: readonly Scenario[] = [
  {
    name: 'where the model fails before its first word, the next one is asked at once',
    caller: [question],
    llm: { replies: [[{ fails: 'unavailable' }]], fallbacks: [{ replies: [['Yes.']] }] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, heard('Yes.', 2_580)],
      requests: [asked, { ...asked, fallback: 1 }],
    },
  },
  {
    name: 'a model that gives nothing is waited for 5 s',
    caller: [question],
    llm: { replies: [[{ stalls: true }]], fallbacks: [{ replies: [['Yes.']] }] },
    hangsUpAtMs: 10_000,
    expect: {
      timeline: [turn, heard('Yes.', 7_560)],
      requests: [asked, { ...asked, atMs: 7_560, fallback: 1 }],
    },
  },
  {
    name: 'each fallback has its turn, and the last failure ends the call',
    caller: [question],
    llm: {
      replies: [[{ fails: 'unavailable' }]],
      fallbacks: [{ replies: [[{ fails: 'quota' }]] }, { replies: [[{ fails: 'auth' }]] }],
    },
    hangsUpAtMs: 10_000,
    expect: {
      timeline: [turn],
      requests: [asked, { ...asked, fallback: 1 }, { ...asked, fallback: 2 }],
      ended: { atMs: 2_560, reason: 'llm_error', error: 'fallback-2: failed by the script' },
    },
  },
  {
    name: 'a model without a fallback that is overloaded is asked once more, after what it had said',
    caller: [question],
    llm: { replies: [['Let me see. ', { waitMs: 100 }, { fails: 'unavailable' }], ['It is open.']] },
    hangsUpAtMs: 6_000,
    expect: {
      // 550 ms are 28 frames, the last of which is half silent.
      timeline: [turn, heard('Let me see.', 2_580), heard('It is open.', 3_140)],
      requests: [asked, { atMs: 2_660, last: 'Let me see.' }],
    },
  },
  {
    name: 'a refusal of the model ends the call',
    caller: [question],
    llm: { replies: [[{ waitMs: 100 }, { fails: 'auth' }]] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [turn],
      ended: { atMs: 2_660, reason: 'llm_error', error: 'scripted: failed by the script' },
    },
  },
  {
    name: 'where the synthesizer fails before its first sound, the next one speaks at once',
    caller: [question],
    llm: { replies: [['Yes.']] },
    tts: { refuses: { fault: 'unavailable' }, fallbacks: [{}] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [turn, byFallback('Yes.', 2_580)] },
  },
  {
    name: 'a synthesizer that gives no sound is waited for 5 s',
    caller: [question],
    llm: { replies: [['Yes.']] },
    tts: { stalls: true, fallbacks: [{}] },
    hangsUpAtMs: 10_000,
    expect: { timeline: [turn, byFallback('Yes.', 7_560)] },
  },
  {
    name: 'a voice that breaks off is continued by the next one from the first word that was not heard',
    caller: [question],
    llm: { replies: [['One two three four.']] },
    tts: { breaks: { fault: 'connection', utterances: [0] }, fallbacks: [{}] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        turn,
        // Half of its 950 ms, in 24 frames; "three" had begun.
        { agent: 'One two th', fromMs: 2_580, toMs: 3_055 },
        byFallback('three four.', 3_060),
      ],
      transcript: [{ caller: 'Is it open?' }, { agent: 'One two three four.' }],
    },
  },
  {
    name: 'a voice that breaks off without a fallback is asked once more',
    caller: [question],
    llm: { replies: [['One two three four.']] },
    tts: { breaks: { fault: 'connection', utterances: [0] } },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, { agent: 'One two th', fromMs: 2_580, toMs: 3_055 }, heard('three four.', 3_060)],
    },
  },
  {
    name: 'a recognizer that is lost while the caller speaks is replaced, and nothing of the turn is lost',
    caller: [question],
    stt: { fails: { atMs: 1_500, fault: 'connection' }, fallbacks: [{}] },
    llm: { replies: [['Yes.']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [turn, heard('Yes.', 2_580)] },
  },
  {
    name: 'a recognizer that is lost when it owes the last words: the next one settles them',
    caller: [question],
    stt: { settlesAfterMs: 500, fails: { atMs: 2_700, fault: 'connection' }, fallbacks: [{}] },
    llm: { replies: [['Yes.']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [{ turn: 'Is it open?', atMs: 2_700 }, heard('Yes.', 2_720)] },
  },
  {
    name: 'a recognizer that is lost without a fallback ends the call',
    caller: [question],
    stt: { fails: { atMs: 1_500, fault: 'connection' } },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [],
      ended: { atMs: 1_500, reason: 'stt_error', error: 'scripted: lost by the script' },
    },
  },
];

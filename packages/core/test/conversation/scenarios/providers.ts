import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/* The question ends at 2,000 and its turn at 2,560. A fallback starts at once, or after 5 s without output. */
const question = { says: 'Is it open?', fromMs: 1_000, toMs: 2_000 };
const turn = { turn: 'Is it open?', atMs: 2_560 };
const asked = { atMs: 2_560, last: 'Is it open?' };
/** Speech of the fallback TTS. */
const byFallback = (text: string, fromMs: number): ReturnType<typeof heard> => ({
  ...heard(text, fromMs),
  voice: 'fallback',
});

export const providers: readonly Scenario[] = [
  {
    name: 'LLM: uses the fallback at once when it fails before its first token',
    caller: [question],
    llm: { replies: [[{ fails: 'unavailable' }]], fallbacks: [{ replies: [['Yes.']] }] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, heard('Yes.', 2_580)],
      requests: [asked, { ...asked, fallback: 1 }],
    },
  },
  {
    name: 'LLM: uses the fallback after 5 s without a token',
    caller: [question],
    llm: { replies: [[{ stalls: true }]], fallbacks: [{ replies: [['Yes.']] }] },
    hangsUpAtMs: 10_000,
    expect: {
      timeline: [turn, heard('Yes.', 7_560)],
      requests: [asked, { ...asked, atMs: 7_560, fallback: 1 }],
    },
  },
  {
    name: 'LLM: tries each fallback, and the last failure ends the call',
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
    name: 'LLM: is requested once more without a fallback, continuing its spoken text',
    caller: [question],
    llm: { replies: [['Let me see. ', { waitMs: 100 }, { fails: 'unavailable' }], ['It is open.']] },
    hangsUpAtMs: 6_000,
    expect: {
      // 550 ms are 28 frames; half of the last one is silent.
      timeline: [turn, heard('Let me see.', 2_580), heard('It is open.', 3_140)],
      requests: [asked, { atMs: 2_660, last: 'Let me see.' }],
    },
  },
  {
    name: 'LLM: lets the fallback continue the text that was streamed before errors of the model',
    caller: [question],
    llm: {
      replies: [['Let me see. ', { waitMs: 100 }, { fails: 'unavailable' }], [{ fails: 'unavailable' }]],
      fallbacks: [{ replies: [['It is open.']] }],
    },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [turn, heard('Let me see.', 2_580), heard('It is open.', 3_140)],
      requests: [asked, { atMs: 2_660, last: 'Let me see.' }, { atMs: 2_660, last: 'Let me see.', fallback: 1 }],
      transcript: [{ caller: 'Is it open?' }, { agent: 'Let me see.' }, { agent: 'It is open.' }],
    },
  },
  {
    name: 'LLM: keeps the text that was heard before an error that ends the call',
    caller: [question],
    llm: { replies: [['Let me see. ', { waitMs: 300 }, { fails: 'invalid_request' }]] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [turn, { agent: 'Let me', fromMs: 2_580, toMs: 2_860 }, { interrupted: true, atMs: 2_860 }],
      transcript: [{ caller: 'Is it open?' }, { agent: 'Let me' }],
      ended: { atMs: 2_860, reason: 'llm_error', error: 'scripted: failed by the script' },
    },
  },
  {
    name: 'LLM: ends the call on an authentication error',
    caller: [question],
    llm: { replies: [[{ waitMs: 100 }, { fails: 'auth' }]] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [turn],
      ended: { atMs: 2_660, reason: 'llm_error', error: 'scripted: failed by the script' },
    },
  },
  {
    name: 'TTS: uses the fallback at once when it fails before its first audio',
    caller: [question],
    llm: { replies: [['Yes.']] },
    tts: { refuses: { fault: 'unavailable' }, fallbacks: [{}] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [turn, byFallback('Yes.', 2_580)] },
  },
  {
    name: 'TTS: uses the fallback after 5 s without audio',
    caller: [question],
    llm: { replies: [['Yes.']] },
    tts: { stalls: true, fallbacks: [{}] },
    hangsUpAtMs: 10_000,
    expect: { timeline: [turn, byFallback('Yes.', 7_560)] },
  },
  {
    name: 'TTS: continues with the fallback at the first word that was not heard',
    caller: [question],
    llm: { replies: [['One two three four.']] },
    tts: { breaks: { fault: 'connection', utterances: [0] }, fallbacks: [{}] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        turn,
        // Half of its 950 ms, in 24 frames; "three" had started.
        { agent: 'One two th', fromMs: 2_580, toMs: 3_055 },
        byFallback('three four.', 3_060),
      ],
      transcript: [{ caller: 'Is it open?' }, { agent: 'One two three four.' }],
    },
  },
  {
    name: 'TTS: is retried once without a fallback',
    caller: [question],
    llm: { replies: [['One two three four.']] },
    tts: { breaks: { fault: 'connection', utterances: [0] } },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, { agent: 'One two th', fromMs: 2_580, toMs: 3_055 }, heard('three four.', 3_060)],
    },
  },
  {
    name: 'STT: uses the fallback when it fails during speech, without losing words',
    caller: [question],
    stt: { fails: { atMs: 1_500, fault: 'connection' }, fallbacks: [{}] },
    llm: { replies: [['Yes.']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [turn, heard('Yes.', 2_580)] },
  },
  {
    name: 'STT: uses the fallback for the final words when it fails while finalizing',
    caller: [question],
    stt: { settlesAfterMs: 500, fails: { atMs: 2_700, fault: 'connection' }, fallbacks: [{}] },
    llm: { replies: [['Yes.']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [{ turn: 'Is it open?', atMs: 2_700 }, heard('Yes.', 2_720)] },
  },
  {
    name: 'STT: ends the call when it fails without a fallback',
    caller: [question],
    stt: { fails: { atMs: 1_500, fault: 'connection' } },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [],
      ended: { atMs: 1_500, reason: 'stt_error', error: 'scripted: lost by the script' },
    },
  },
];

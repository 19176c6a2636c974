import type { Scenario } from '@va/testkit/scenarios';
import { cut, heard } from './spoken.ts';

/*
 * The question ends at 2,000 and its turn at 2,560 (28 silent frames). What is ready then plays from 2,580 on. Later
 * output of a provider plays with the frame of its own time.
 */
const question = { says: 'Is it open?', fromMs: 1_000, toMs: 2_000 };
const turn = { turn: 'Is it open?', atMs: 2_560 };

export const speaking: readonly Scenario[] = [
  {
    name: 'is synthesized from the first natural clause, then sentence by sentence',
    caller: [question],
    llm: {
      replies: [
        [
          'We have a table at seven, ',
          { waitMs: 500 },
          'and another one ',
          { waitMs: 500 },
          'at nine. ',
          { waitMs: 500 },
          'Which one?',
        ],
      ],
    },
    hangsUpAtMs: 7_000,
    expect: {
      // 25, 24 and 10 letters; each clause arrives before the previous one has been played.
      timeline: [turn, heard('We have a table at seven,and another one at nine.Which one?', 2_580)],
      latency: [{ total_ms: 580, first_audio_ms: 560, llm_first_token_ms: 0 }],
    },
  },
  {
    name: 'waits for the end of an incomplete first clause',
    caller: [question],
    llm: {
      replies: [['We have ', { waitMs: 400 }, 'a table ', { waitMs: 400 }, 'at seven, ', { waitMs: 900 }, 'Sir.']],
    },
    hangsUpAtMs: 7_000,
    expect: {
      // The comma arrives at 3,360; the clause takes 1,250 ms, longer than the 900 ms until the rest.
      timeline: [turn, heard('We have a table at seven,Sir.', 3_360)],
      latency: [{ total_ms: 1_360, first_audio_ms: 1_360, llm_first_token_ms: 0 }],
    },
  },
  {
    name: 'is normalized to words, and stored as it was written',
    caller: [question],
    llm: { replies: [['It costs **€5**, or 50%.']] },
    hangsUpAtMs: 7_000,
    expect: {
      timeline: [turn, heard('It costs five euros, or fifty percent.', 2_580)],
      transcript: [{ caller: 'Is it open?' }, { agent: 'It costs **€5**, or 50%.' }],
    },
  },
  {
    name: 'is normalized in Dutch',
    agent: { stt_config: { language: 'nl' } },
    caller: [{ says: 'Wat kost het?', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['Het kost €5.']] },
    hangsUpAtMs: 7_000,
    expect: { timeline: [{ turn: 'Wat kost het?', atMs: 2_560 }, heard('Het kost vijf euro.', 2_580)] },
  },
  {
    name: 'is synthesized as written when normalize_text is off',
    agent: { speech_config: { normalize_text: false } },
    caller: [question],
    llm: { replies: [['Yes, 50%.']] },
    hangsUpAtMs: 7_000,
    expect: { timeline: [turn, heard('Yes, 50%.', 2_580)] },
  },
  {
    name: 'uses the configured pronunciations',
    agent: { speech_config: { pronunciations: [{ text: 'Gouda', say: 'How-da' }] } },
    caller: [question],
    llm: { replies: [['Only in Gouda.']] },
    hangsUpAtMs: 7_000,
    expect: {
      timeline: [turn, heard('Only in How-da.', 2_580)],
      transcript: [{ caller: 'Is it open?' }, { agent: 'Only in Gouda.' }],
    },
  },
  {
    name: 'starts with the first frame for a first message, which is synthesized during ringing',
    agent: { first_message: 'Good evening.' },
    tts: { firstByteMs: 300 },
    hangsUpAtMs: 3_000,
    expect: { timeline: [heard('Good evening.', 20)] },
  },
  {
    name: 'comes from the cache for a repeated fixed sentence, without the 300 ms of the TTS',
    agent: { speech_config: { silence: { timeout_ms: 2_000, prompts: ['Hello?', 'Hello?'] } } },
    tts: { firstByteMs: 300 },
    hangsUpAtMs: 20_000,
    expect: {
      // 15 frames each; the silence restarts with the last one, at 2,580 and at 4,860.
      timeline: [heard('Hello?', 2_300), heard('Hello?', 4_580)],
      ended: { atMs: 6_860, reason: 'silence_timeout' },
    },
  },
  {
    name: 'plays without a gap from the first byte of a TTS that runs in real time',
    caller: [question],
    llm: { replies: [['We are open until nine.']] },
    tts: { firstByteMs: 300, pace: 'realtime' },
    hangsUpAtMs: 7_000,
    expect: {
      timeline: [turn, heard('We are open until nine.', 2_860)],
      latency: [{ total_ms: 860, tts_first_byte_ms: 300 }],
    },
  },
  {
    name: 'reports the latency of endpointing, STT, LLM and TTS',
    caller: [question],
    stt: { settlesAfterMs: 90 },
    llm: { replies: [[{ waitMs: 310 }, 'Yes.']] },
    tts: { firstByteMs: 200 },
    hangsUpAtMs: 7_000,
    expect: {
      // Finalized at 2,650, first token at 2,960, first byte at 3,160.
      timeline: [{ turn: 'Is it open?', atMs: 2_650 }, heard('Yes.', 3_160)],
      latency: [
        {
          total_ms: 1_160,
          endpointing_ms: 650,
          stt_final_ms: 650,
          first_audio_ms: 1_160,
          llm_first_token_ms: 310,
          tts_first_byte_ms: 200,
        },
      ],
    },
  },
  {
    name: 'is requested once more when the reply is empty',
    caller: [question],
    llm: { replies: [[], ['Yes.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [turn, heard('Yes.', 2_580)],
      requests: [
        { atMs: 2_560, last: 'Is it open?' },
        { atMs: 2_560, last: 'Is it open?' },
      ],
    },
  },
  {
    name: 'stores interrupted speech up to a number of which less than half was heard',
    caller: [question, { says: 'wait', fromMs: 2_780, toMs: 3_480, partials: [{ atMs: 3_400, text: 'wait' }] }],
    llm: { replies: [['It costs 25 euros in all.'], ['Yes?']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [
        turn,
        // 700 ms were heard; "twenty-five" lasts from 450 to 1,000.
        cut('It costs twenty-five euros in all.', 2_580, 3_280),
        { interrupted: true, atMs: 3_280 },
        { turn: 'wait', atMs: 4_040 },
        heard('Yes?', 4_060),
      ],
      transcript: [{ caller: 'Is it open?' }, { agent: 'It costs' }, { caller: 'wait' }, { agent: 'Yes?' }],
    },
  },
  {
    name: 'plays a clause to its end when the next one is late',
    caller: [{ says: 'Is it open?', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['One moment. ', { waitMs: 2_000 }, 'It is.']] },
    hangsUpAtMs: 7_000,
    expect: {
      timeline: [{ turn: 'Is it open?', atMs: 2_560 }, heard('One moment.', 2_580), heard('It is.', 4_560)],
    },
  },
];

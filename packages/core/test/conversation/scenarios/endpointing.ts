import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/*
 * The detector reports the end of speech 200 ms after its last sample, the words are settled at once, and the turn ends
 * a delay after the last sample that the words decide. A reply that was prepared is ready then, and the frame of that
 * moment carries it.
 */
const quick = { vad: { min_silence_ms: 200 } };

export const endpointing: readonly Scenario[] = [
  {
    name: 'words that read as complete end the turn min_delay_ms (500) after them; the reply was prepared meanwhile',
    agent: { speech_config: quick },
    caller: [{ says: 'I would like a table for two.', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['At what time?']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [{ turn: 'I would like a table for two.', atMs: 2_500 }, heard('At what time?', 2_500)],
      // The words are known at 2,200 and have stayed the same for 200 ms.
      requests: [{ atMs: 2_400, last: 'I would like a table for two.' }],
      transcript: [{ caller: 'I would like a table for two.' }, { agent: 'At what time?' }],
    },
  },
  {
    name: 'with the default detector its 560 ms (28 frames) are longer than min_delay_ms, and end the turn',
    caller: [{ says: 'I would like a table for two.', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['At what time?']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [{ turn: 'I would like a table for two.', atMs: 2_560 }, heard('At what time?', 2_580)],
      requests: [{ atMs: 2_560, last: 'I would like a table for two.' }],
    },
  },
  {
    name: 'words that break off ("and") are waited on for 1.5 s, and no reply is prepared',
    agent: { speech_config: quick },
    caller: [{ says: 'I would like a table and', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['And?']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [{ turn: 'I would like a table and', atMs: 3_500 }, heard('And?', 3_500)],
      requests: [{ atMs: 3_500, last: 'I would like a table and' }],
    },
  },
  {
    name: 'a number that is being read out is waited on for 1.8 s',
    agent: { speech_config: quick },
    caller: [{ says: 'my number is zero six one two', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['Go on.']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [{ turn: 'my number is zero six one two', atMs: 3_800 }, heard('Go on.', 3_800)] },
  },
  {
    name:
      'a pause after words that break off is within the turn, and makes the agent wait 1.2 times as long ' +
      'from then on',
    agent: { speech_config: quick },
    caller: [
      { says: 'I would like', fromMs: 1_000, toMs: 1_600 },
      { says: 'two tickets', fromMs: 2_400, toMs: 3_000 },
    ],
    llm: { replies: [['Two it is.']] },
    hangsUpAtMs: 6_000,
    expect: {
      // The pause was 800 ms: 3,000 + 960.
      timeline: [{ turn: 'I would like two tickets', atMs: 3_960 }, heard('Two it is.', 3_960)],
      requests: [{ atMs: 3_400, last: 'I would like two tickets' }],
    },
  },
  {
    name: 'a pause that was taken for the end is learned too, where the agent had not spoken yet',
    agent: { speech_config: quick },
    caller: [
      { says: 'we are four people', fromMs: 1_000, toMs: 1_600 },
      { says: 'about the dinner party', fromMs: 2_400, toMs: 3_200 },
    ],
    llm: {
      replies: [
        [{ waitMs: 1_500 }, 'I see.'],
        [{ waitMs: 1_000 }, 'For how many?'],
      ],
    },
    hangsUpAtMs: 7_000,
    expect: {
      timeline: [
        { turn: 'we are four people', atMs: 2_100 },
        { turn: 'about the dinner party', atMs: 4_160 },
        heard('For how many?', 5_160),
      ],
      requests: [
        { atMs: 2_000, last: 'we are four people' },
        { atMs: 4_160, last: 'about the dinner party' },
      ],
    },
  },
  {
    name: 'words that the recognizer does not settle are taken as they are after max_delay_ms (3,000)',
    agent: { speech_config: quick },
    caller: [
      {
        says: 'call me back',
        fromMs: 1_000,
        toMs: 2_000,
        partials: [{ atMs: 1_500, text: 'call me back' }],
      },
    ],
    stt: { settlesAfterMs: 60_000 },
    llm: { replies: [['I will.']] },
    hangsUpAtMs: 7_000,
    expect: {
      timeline: [{ turn: 'call me back', atMs: 5_000 }, heard('I will.', 5_000)],
      // They have stayed the same for long when the speech has ended.
      requests: [{ atMs: 2_200, last: 'call me back' }],
    },
  },
  {
    name: 'words that settle late end the turn when they come',
    agent: { speech_config: quick },
    caller: [{ says: 'I would like a table for two.', fromMs: 1_000, toMs: 2_000 }],
    stt: { settlesAfterMs: 700 },
    llm: { replies: [['At what time?']] },
    hangsUpAtMs: 5_000,
    expect: {
      // Asked at 2,200.
      timeline: [{ turn: 'I would like a table for two.', atMs: 2_900 }, heard('At what time?', 2_900)],
      latency: [{ total_ms: 900, endpointing_ms: 900, stt_final_ms: 900, llm_first_token_ms: 0 }],
    },
  },
  {
    name: 'mode "fixed" always waits min_delay_ms',
    agent: { speech_config: { ...quick, endpointing: { mode: 'fixed', min_delay_ms: 800 } } },
    caller: [{ says: 'I would like a table and', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['And?']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [{ turn: 'I would like a table and', atMs: 2_800 }, heard('And?', 2_800)] },
  },
  {
    name: 'max_delay_ms bounds every delay',
    agent: { speech_config: { ...quick, endpointing: { max_delay_ms: 1_000 } } },
    caller: [{ says: 'my number is zero six one two', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['Go on.']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [{ turn: 'my number is zero six one two', atMs: 3_000 }, heard('Go on.', 3_000)] },
  },
  {
    name: 'a caller who never pauses is answered max_turn_ms after the first sample',
    agent: { speech_config: { endpointing: { max_turn_ms: 5_000 } } },
    caller: [
      {
        says: 'so I was thinking',
        fromMs: 1_000,
        toMs: 9_000,
        partials: [{ atMs: 2_000, text: 'so I was' }],
      },
    ],
    llm: { replies: [['Let me stop you there.']] },
    hangsUpAtMs: 9_000,
    expect: { timeline: [{ turn: 'so I was', atMs: 6_000 }, heard('Let me stop you there.', 6_000)] },
  },
  {
    name: 'speech without words is no turn',
    caller: [{ noise: true, fromMs: 1_000, toMs: 1_400 }],
    hangsUpAtMs: 5_000,
    expect: { timeline: [], requests: [], transcript: [] },
  },
];

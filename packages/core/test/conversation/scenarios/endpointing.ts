import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/*
 * The VAD reports the end of speech 200 ms after its last sample, and the STT finalizes at once. The turn ends a delay
 * after the last sample, which depends on the words. A preemptive reply is ready then and plays with the frame of that
 * time.
 */
const quick = { vad: { min_silence_ms: 200 } };

export const endpointing: readonly Scenario[] = [
  {
    name: 'complete words end the turn after min_delay_ms (500), with a preemptive reply ready',
    agent: { speech_config: quick },
    caller: [{ says: 'I would like a table for two.', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['At what time?']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [{ turn: 'I would like a table for two.', atMs: 2_500 }, heard('At what time?', 2_500)],
      // The final words arrive at 2,200 and are then stable for 200 ms.
      requests: [{ atMs: 2_400, last: 'I would like a table for two.' }],
      transcript: [{ caller: 'I would like a table for two.' }, { agent: 'At what time?' }],
    },
  },
  {
    name: 'the 560 ms (28 frames) of the default VAD end the turn, being longer than min_delay_ms',
    caller: [{ says: 'I would like a table for two.', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['At what time?']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [{ turn: 'I would like a table for two.', atMs: 2_560 }, heard('At what time?', 2_580)],
      requests: [{ atMs: 2_560, last: 'I would like a table for two.' }],
    },
  },
  {
    name: 'incomplete words ("and") end the turn after 1.5 s, without a preemptive reply',
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
    name: 'digits that are read out end the turn after 1.8 s',
    agent: { speech_config: quick },
    caller: [{ says: 'my number is zero six one two', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['Go on.']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [{ turn: 'my number is zero six one two', atMs: 3_800 }, heard('Go on.', 3_800)] },
  },
  {
    name: 'a pause after incomplete words stays within the turn, and lengthens the delay to 1.2 times the pause',
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
    name: 'a pause after complete words also lengthens the delay when the agent had not replied yet',
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
    name: 'a partial that the STT does not finalize ends the turn after max_delay_ms (3,000)',
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
      // The partial has been stable for more than 200 ms when the speech ends.
      requests: [{ atMs: 2_200, last: 'call me back' }],
    },
  },
  {
    name: 'late final words end the turn when they arrive',
    agent: { speech_config: quick },
    caller: [{ says: 'I would like a table for two.', fromMs: 1_000, toMs: 2_000 }],
    stt: { settlesAfterMs: 700 },
    llm: { replies: [['At what time?']] },
    hangsUpAtMs: 5_000,
    expect: {
      // Finalize was requested at 2,200.
      timeline: [{ turn: 'I would like a table for two.', atMs: 2_900 }, heard('At what time?', 2_900)],
      latency: [{ total_ms: 900, endpointing_ms: 900, stt_final_ms: 900, llm_first_token_ms: 0 }],
    },
  },
  {
    name: 'mode "fixed" always waits for min_delay_ms',
    agent: { speech_config: { ...quick, endpointing: { mode: 'fixed', min_delay_ms: 800 } } },
    caller: [{ says: 'I would like a table and', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['And?']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [{ turn: 'I would like a table and', atMs: 2_800 }, heard('And?', 2_800)] },
  },
  {
    name: 'max_delay_ms limits every delay',
    agent: { speech_config: { ...quick, endpointing: { max_delay_ms: 1_000 } } },
    caller: [{ says: 'my number is zero six one two', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['Go on.']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [{ turn: 'my number is zero six one two', atMs: 3_000 }, heard('Go on.', 3_000)] },
  },
  {
    name: 'the turn of a caller who never pauses ends max_turn_ms after the first sample',
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
    name: 'speech without words starts no turn',
    caller: [{ noise: true, fromMs: 1_000, toMs: 1_400 }],
    hangsUpAtMs: 5_000,
    expect: { timeline: [], requests: [], transcript: [] },
  },
];

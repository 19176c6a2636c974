import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/* The question ends at 2,000 and its turn at 2,560. Silence counts from the answer, or from the agent's last frame. */
const question = { says: 'Is it open?', fromMs: 1_000, toMs: 2_000 };
const turn = { turn: 'Is it open?', atMs: 2_560 };

export const waiting: readonly Scenario[] = [
  {
    name: 'plays fillers while the model is slow, delay_ms after the turn and after each filler',
    agent: { speech_config: { filler: { phrases: ['One moment.', 'Still looking.'], delay_ms: 1_500 } } },
    caller: [question],
    llm: { replies: [[{ waitMs: 5_000 }, 'It is.']] },
    hangsUpAtMs: 10_000,
    expect: {
      // The 28 frames of the first filler are sent from 4,060 to 4,600.
      timeline: [turn, heard('One moment.', 4_060), heard('Still looking.', 6_100), heard('It is.', 7_560)],
      transcript: [{ caller: 'Is it open?' }, { agent: 'One moment. Still looking. It is.' }],
    },
  },
  {
    name: 'finishes a started filler before the reply',
    agent: { speech_config: { filler: { phrases: ['One moment.'], delay_ms: 1_500 } } },
    caller: [question],
    llm: { replies: [[{ waitMs: 1_700 }, 'It is.']] },
    hangsUpAtMs: 10_000,
    expect: { timeline: [turn, heard('One moment.', 4_060), heard('It is.', 4_620)] },
  },
  {
    name: 'plays no filler before a fast reply',
    agent: { speech_config: { filler: { phrases: ['One moment.'], delay_ms: 1_500 } } },
    caller: [question],
    llm: { replies: [[{ waitMs: 1_400 }, 'It is.']] },
    hangsUpAtMs: 8_000,
    expect: { timeline: [turn, heard('It is.', 3_960)] },
  },
  {
    name: 'plays a filler while a tool runs',
    agent: {
      llm_config: { tools: [{ type: 'function', name: 'check' }] },
      speech_config: { filler: { phrases: ['One moment.'], delay_ms: 1_500 } },
    },
    caller: [question],
    llm: { replies: [[{ calls: 'check' }], ['It is.']] },
    tools: { check: [{ afterMs: 3_000, body: 'open' }] },
    hangsUpAtMs: 10_000,
    expect: {
      timeline: [
        turn,
        { tool: 'check', args: {}, atMs: 2_560 },
        heard('One moment.', 4_060),
        { result: 'open', of: 'check', atMs: 5_560 },
        heard('It is.', 5_560),
      ],
    },
  },
  {
    name: 'plays two silence prompts, each after 10 s, and then hangs up',
    hangsUpAtMs: 60_000,
    expect: {
      // 50 frames until 10,980; then 24 letters in 60 frames until 22,160.
      timeline: [heard('Are you still there?', 10_000), heard('Hello?I cannot hear you.', 20_980)],
      transcript: [{ agent: 'Are you still there?' }, { agent: 'Hello? I cannot hear you.' }],
      ended: { atMs: 32_160, reason: 'silence_timeout' },
    },
  },
  {
    name: 'restarts the silence prompts when the caller speaks',
    agent: { speech_config: { silence: { timeout_ms: 2_000, prompts: ['Hello?'] } } },
    caller: [{ says: 'Is it open?', fromMs: 3_000, toMs: 4_000 }],
    llm: { replies: [['Yes.']] },
    hangsUpAtMs: 20_000,
    expect: {
      timeline: [
        heard('Hello?', 2_000),
        { turn: 'Is it open?', atMs: 4_560 },
        // The last of 10 frames is sent at 4,760.
        heard('Yes.', 4_580),
        heard('Hello?', 6_760),
      ],
      // The last of 15 frames is sent at 7,040.
      ended: { atMs: 9_040, reason: 'silence_timeout' },
    },
  },
  {
    name: 'restarts the silence timeout after a noise',
    agent: { speech_config: { silence: { timeout_ms: 2_000, prompts: [] } } },
    caller: [{ noise: true, fromMs: 1_000, toMs: 1_400 }],
    hangsUpAtMs: 20_000,
    // 28 silent frames after 1,400.
    expect: { timeline: [], ended: { atMs: 3_960, reason: 'silence_timeout' } },
  },
  {
    name: 'prefers silence_timeout_seconds of the agent to speech_config.silence.timeout_ms',
    agent: { silence_timeout_seconds: 3, speech_config: { silence: { timeout_ms: 2_000, prompts: [] } } },
    hangsUpAtMs: 20_000,
    expect: { timeline: [], ended: { atMs: 3_000, reason: 'silence_timeout' } },
  },
  {
    name: 'does not count a running tool as silence',
    agent: {
      llm_config: { tools: [{ type: 'function', name: 'check' }] },
      speech_config: { silence: { timeout_ms: 2_000, prompts: [] } },
    },
    caller: [{ says: 'Is it open?', fromMs: 500, toMs: 1_500 }],
    llm: { replies: [[{ calls: 'check' }], ['Yes.']] },
    tools: { check: [{ afterMs: 5_000, body: 'open' }] },
    hangsUpAtMs: 20_000,
    expect: {
      timeline: [
        { turn: 'Is it open?', atMs: 2_060 },
        { tool: 'check', args: {}, atMs: 2_060 },
        { result: 'open', of: 'check', atMs: 7_060 },
        heard('Yes.', 7_060),
      ],
      ended: { atMs: 9_240, reason: 'silence_timeout' },
    },
  },
  {
    name: 'ends the call after max_duration_seconds, even during speech',
    agent: { max_duration_seconds: 10, first_message: 'Hello.' },
    caller: [{ noise: true, fromMs: 8_000, toMs: 12_000 }],
    hangsUpAtMs: 20_000,
    expect: { timeline: [heard('Hello.', 20)], ended: { atMs: 10_000, reason: 'max_duration' } },
  },
  {
    name: 'treats missing frames as silence when the caller’s audio stops during speech',
    caller: [question, { sendsNothing: true, fromMs: 2_000, toMs: 5_000 }],
    llm: { replies: [['Yes.']] },
    hangsUpAtMs: 6_000,
    expect: {
      // Silence is inserted from 80 ms after the last frame on; the last of 28 such frames coincides with the agent's
      // own frame at 2,620.
      timeline: [{ turn: 'Is it open?', atMs: 2_620 }, heard('Yes.', 2_640)],
    },
  },
];

import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/*
 * The VAD reports the end of speech 200 ms after its last sample. A fixed delay of 1.5 s leaves time for several
 * attempts.
 */
const quick = { vad: { min_silence_ms: 200 } };
const patient = { ...quick, endpointing: { mode: 'fixed', min_delay_ms: 1_500 } } as const;
const order = { says: 'a table for two please', fromMs: 1_000, toMs: 2_000 };
/** The partial has half of the words until the STT finalizes at 2,600. */
const corrected = { ...order, partials: [{ atMs: 1_500, text: 'a table' }] };

export const preemption: readonly Scenario[] = [
  {
    name: 'plays at the end of the turn when it is ready by then',
    agent: { speech_config: patient },
    caller: [order],
    llm: { replies: [[{ waitMs: 800 }, 'Two it is.']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [{ turn: 'a table for two please', atMs: 3_500 }, heard('Two it is.', 3_500)],
      requests: [{ atMs: 2_400, last: 'a table for two please' }],
      latency: [{ total_ms: 1_500, llm_first_token_ms: 0 }],
    },
  },
  {
    name: 'continues after the end of the turn when it is still being generated',
    agent: { speech_config: patient },
    caller: [order],
    llm: { replies: [[{ waitMs: 1_200 }, 'Two it is.']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [{ turn: 'a table for two please', atMs: 3_500 }, heard('Two it is.', 3_600)],
      latency: [{ total_ms: 1_600, llm_first_token_ms: 100 }],
    },
  },
  {
    name: 'is cancelled and requested again when the words change',
    agent: { speech_config: patient },
    caller: [corrected],
    stt: { settlesAfterMs: 400 },
    llm: { replies: [['Which one?'], ['Two it is.']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [{ turn: 'a table for two please', atMs: 3_500 }, heard('Two it is.', 3_500)],
      requests: [
        { atMs: 2_200, last: 'a table' },
        { atMs: 2_800, last: 'a table for two please' },
      ],
    },
  },
  {
    name: 'is requested at most max_attempts times',
    agent: { speech_config: { ...patient, preemptive: { max_attempts: 1 } } },
    caller: [corrected],
    stt: { settlesAfterMs: 400 },
    llm: { replies: [['Which one?'], ['Two it is.']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [{ turn: 'a table for two please', atMs: 3_500 }, heard('Two it is.', 3_500)],
      requests: [
        { atMs: 2_200, last: 'a table' },
        { atMs: 3_500, last: 'a table for two please' },
      ],
    },
  },
  {
    name: 'is requested when the words have been stable for stable_ms',
    agent: { speech_config: { ...patient, preemptive: { stable_ms: 900 } } },
    caller: [order],
    llm: { replies: [['Two it is.']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [{ turn: 'a table for two please', atMs: 3_500 }, heard('Two it is.', 3_500)],
      requests: [{ atMs: 3_100, last: 'a table for two please' }],
    },
  },
  {
    name: 'is not requested before the end of the turn when disabled',
    agent: { speech_config: { ...patient, preemptive: { enabled: false } } },
    caller: [order],
    llm: { replies: [['Two it is.']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [{ turn: 'a table for two please', atMs: 3_500 }, heard('Two it is.', 3_500)],
      requests: [{ atMs: 3_500, last: 'a table for two please' }],
    },
  },
  {
    name: 'runs its tool calls only after the end of the turn',
    agent: { llm_config: { tools: [{ type: 'function', name: 'book' }] }, speech_config: patient },
    caller: [order],
    llm: { replies: [[{ calls: 'book', args: { people: 2 } }], ['Booked.']] },
    tools: { book: [{ afterMs: 100, body: { result: 'ok' } }] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [
        { turn: 'a table for two please', atMs: 3_500 },
        { tool: 'book', args: { people: 2 }, atMs: 3_500 },
        { result: 'ok', of: 'book', atMs: 3_600 },
        heard('Booked.', 3_600),
      ],
      requests: [
        { atMs: 2_400, last: 'a table for two please' },
        { atMs: 3_600, last: 'ok' },
      ],
    },
  },
  {
    name: 'hangs up at the end of the turn when it only calls endCall',
    agent: { llm_config: { tools: [{ type: 'endCall' }] }, speech_config: patient },
    caller: [{ says: 'no thank you, goodbye', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [[{ calls: 'endCall' }]] },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        { turn: 'no thank you, goodbye', atMs: 3_500 },
        { tool: 'endCall', args: {}, atMs: 3_500 },
        { result: 'The call is ending.', of: 'endCall', atMs: 3_500 },
      ],
      requests: [{ atMs: 2_400, last: 'no thank you, goodbye' }],
      ended: { reason: 'agent_hangup', atMs: 3_800 },
    },
  },
  {
    name: 'is discarded when the caller continues after the pause',
    agent: { speech_config: patient },
    caller: [order, { says: 'and a chair for the baby', fromMs: 2_800, toMs: 3_600 }],
    llm: { replies: [['Two it is.'], ['A chair too.']] },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        { turn: 'a table for two please and a chair for the baby', atMs: 5_100 },
        heard('A chair too.', 5_100),
      ],
      requests: [
        { atMs: 2_400, last: 'a table for two please' },
        { atMs: 4_000, last: 'a table for two please and a chair for the baby' },
      ],
    },
  },
];

import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/*
 * An STT provider that detects turns reports words and turns at its own times; each event takes effect directly after
 * the frame of its time.
 */
const speech = { noise: true, fromMs: 1_000, toMs: 2_000 } as const;
const started = { atMs: 1_100, event: { type: 'turn-started' } } as const;
const partial = { atMs: 1_900, event: { type: 'partial', text: 'what time is it' } } as const;

export const judgedTurns: readonly Scenario[] = [
  {
    name: 'its turn-ended ends the turn, and its turn-ending starts a preemptive reply',
    caller: [speech],
    stt: {
      judgesTurns: true,
      events: [
        started,
        partial,
        { atMs: 2_100, event: { type: 'turn-ending' } },
        { atMs: 2_300, event: { type: 'final', text: 'what time is it' } },
        { atMs: 2_300, event: { type: 'turn-ended' } },
      ],
    },
    llm: { replies: [[{ waitMs: 150 }, 'Noon.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [{ turn: 'what time is it', atMs: 2_300 }, heard('Noon.', 2_320)],
      requests: [{ atMs: 2_100, last: 'what time is it' }],
    },
  },
  {
    name: 'its turn-resumed cancels the preemptive reply',
    agent: { speech_config: { preemptive: { stable_ms: 2_000 } } },
    caller: [{ noise: true, fromMs: 1_000, toMs: 3_000 }],
    stt: {
      judgesTurns: true,
      events: [
        started,
        partial,
        { atMs: 2_100, event: { type: 'turn-ending' } },
        { atMs: 2_200, event: { type: 'turn-resumed' } },
        { atMs: 3_000, event: { type: 'final', text: 'what time is it in Rome' } },
        { atMs: 3_200, event: { type: 'turn-ended' } },
      ],
    },
    llm: { replies: [['Noon.'], ['One.']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [{ turn: 'what time is it in Rome', atMs: 3_200 }, heard('One.', 3_220)],
      requests: [
        { atMs: 2_100, last: 'what time is it' },
        { atMs: 3_200, last: 'what time is it in Rome' },
      ],
    },
  },
  {
    name: 'the turn ends max_delay_ms (3,000) after the last sample when turn-ended never arrives',
    agent: { speech_config: { preemptive: { enabled: false } } },
    caller: [speech],
    stt: { judgesTurns: true, events: [started, partial] },
    llm: { replies: [['Noon.']] },
    hangsUpAtMs: 7_000,
    expect: { timeline: [{ turn: 'what time is it', atMs: 5_000 }, heard('Noon.', 5_000)] },
  },
  {
    name: 'latency counts from the last sample when the STT ends the turn before the VAD',
    caller: [{ noise: true, fromMs: 1_000, toMs: 2_000 }],
    stt: {
      judgesTurns: true,
      events: [
        { atMs: 2_300, event: { type: 'final', text: 'what time is it' } },
        { atMs: 2_300, event: { type: 'turn-ended' } },
      ],
    },
    llm: { replies: [['Noon.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [{ turn: 'what time is it', atMs: 2_300 }, heard('Noon.', 2_320)],
      latency: [{ total_ms: 320 }],
    },
  },
];

import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/* What should be, and is not yet. */

export const defects: readonly Scenario[] = [
  {
    // It counts from the start of the speech, as the detector has not reported its end.
    name: 'the latency of a turn that a recognizer ends before the detector does counts from the last sample',
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
  {
    // The time that the tool takes is learned as a habit of the caller's, who then is waited for 3 s.
    name: 'a caller who asks while a tool runs has not paused within a turn',
    agent: { llm_config: { tools: [{ type: 'function', name: 'book' }] } },
    caller: [
      { says: 'A table, please.', fromMs: 1_000, toMs: 2_000 },
      { says: 'hello anybody there', fromMs: 4_800, toMs: 5_400 },
    ],
    llm: { replies: [[{ calls: 'book' }], ['Here I am.']] },
    tools: { book: [{ afterMs: 3_500, body: 7 }] },
    hangsUpAtMs: 12_000,
    expect: {
      timeline: [
        { turn: 'A table, please.', atMs: 2_560 },
        { tool: 'book', args: {}, atMs: 2_560 },
        { turn: 'hello anybody there', atMs: 5_960 },
        { result: 7, of: 'book', atMs: 6_060 },
        heard('Here I am.', 6_060),
      ],
    },
  },
  {
    // The last 10 ms wait for a whole frame, and are heard with the next clause, 1.5 s later.
    name: 'a clause is heard to its end when the next one is late',
    caller: [{ says: 'Is it open?', fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['One moment. ', { waitMs: 2_000 }, 'It is.']] },
    hangsUpAtMs: 7_000,
    expect: {
      timeline: [{ turn: 'Is it open?', atMs: 2_560 }, heard('One moment.', 2_580), heard('It is.', 4_560)],
    },
  },
];

/** Of a call that was placed. */
export const placedDefects: readonly Scenario[] = [
  {
    // The greeting is entered when the hello is judged, the hello when its turn is over, a step later.
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

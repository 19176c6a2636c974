import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/* A transfer starts 300 ms after the agent's last frame, when the far end has played its buffer. */
const sales = '+31201111111';
const question = { says: 'Sales, please.', fromMs: 1_000, toMs: 2_000 };
const turn = { turn: 'Sales, please.', atMs: 2_560 };
const agent = {
  llm_config: {
    tools: [{ type: 'transferCall', destinations: [{ type: 'number', number: sales, message: 'I put you through.' }] }],
  },
};
const call = { calls: 'transferCall', args: { destination: sales } };
const called = { tool: 'transferCall', args: { destination: sales }, atMs: 2_560 };

export const transfers: readonly Scenario[] = [
  {
    name: 'starts after the message of the tool has been played, and ends the call',
    agent,
    caller: [question],
    llm: { replies: [[call]] },
    transfers: [{ afterMs: 1_000, outcome: { type: 'accepted' } }],
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        turn,
        called,
        // The last of 45 frames is sent at 3,460.
        heard('I put you through.', 2_580),
        { transfer: sales, status: 'started', atMs: 3_760 },
        { transfer: sales, status: 'accepted', atMs: 4_760 },
        { result: 'The caller is transferred.', of: 'transferCall', atMs: 4_760 },
      ],
      ended: { atMs: 4_760, reason: 'transferred' },
    },
  },
  {
    name: 'returns to the agent when it is refused',
    agent,
    caller: [question],
    llm: { replies: [[call], ['They are busy.']] },
    transfers: [{ afterMs: 1_000, outcome: { type: 'refused', reason: 'busy' } }],
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        turn,
        called,
        heard('I put you through.', 2_580),
        { transfer: sales, status: 'started', atMs: 3_760 },
        { transfer: sales, status: 'refused', atMs: 4_760 },
        { error: `The caller could not be transferred to ${sales}: busy`, of: 'transferCall', atMs: 4_760 },
        heard('They are busy.', 4_760),
      ],
    },
  },
  {
    name: 'fails at once when the line cannot transfer',
    agent,
    caller: [question],
    llm: { replies: [[call], ['I cannot.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        turn,
        called,
        {
          error: 'Calls cannot be transferred on this line. Help the caller yourself.',
          of: 'transferCall',
          atMs: 2_560,
        },
        heard('I cannot.', 2_580),
      ],
    },
  },
  {
    name: 'by command starts after its message',
    control: [{ atMs: 1_000, command: { type: 'transfer', destination: sales, message: 'One moment.' } }],
    transfers: [{ afterMs: 500, outcome: { type: 'accepted' } }],
    hangsUpAtMs: 9_000,
    expect: {
      // The last of 28 frames is sent at 1,560.
      timeline: [
        heard('One moment.', 1_020),
        { transfer: sales, status: 'started', atMs: 1_860 },
        { transfer: sales, status: 'accepted', atMs: 2_360 },
      ],
      ended: { atMs: 2_360, reason: 'transferred' },
    },
  },
  {
    name: 'works with a speech-to-speech model',
    agent: { llm_config: { ...agent.llm_config } },
    caller: [question],
    realtime: { replies: [[call]] },
    transfers: [{ outcome: { type: 'accepted' } }],
    hangsUpAtMs: 9_000,
    expect: {
      // Requested at 2,560; the model speaks the message 100 ms after the request, in 45 frames until 3,640.
      timeline: [
        { ...called, atMs: 2_660 },
        heard('I put you through.', 2_760),
        { turn: 'Sales, please.', atMs: 2_860 },
        { transfer: sales, status: 'started', atMs: 3_940 },
        { transfer: sales, status: 'accepted', atMs: 3_940 },
        { result: 'The caller is transferred.', of: 'transferCall', atMs: 3_940 },
      ],
      ended: { atMs: 3_940, reason: 'transferred' },
    },
  },
];

import type { Price } from '@va/core';
import type { ReplyPart, Scenario } from '@va/testkit/scenarios';
import { cut, heard } from './spoken.ts';

/*
 * A reply costs EUR 1 per thousand output tokens. The question ends at 2,000 and its turn at 2,560, when the model
 * replies at once; its first frame is heard 20 ms later. A letter lasts 50 ms.
 */
const prices: readonly Price[] = [
  { provider: 'scripted', kind: 'output_tokens', price: 1, per: 'thousand_tokens' },
  { provider: 'scripted_realtime', kind: 'output_tokens', price: 1, per: 'thousand_tokens' },
];
const budget = { max_cost: 1, message: 'Time is up.' };
const question = { says: 'A table, please.', fromMs: 1_000, toMs: 2_000 };
const turn = { turn: 'A table, please.', atMs: 2_560 };
const warned = { budget: 'warning', atMs: 2_560 } as const;
const reached = { budget: 'reached', atMs: 2_560 } as const;
const uses = (outputTokens: number): ReplyPart => ({ uses: { inputTokens: 0, outputTokens } });
const comma = 'I have a table for you at seven, ';
const story = 'One two three. Four five six. Seven eight nine.';

export const budgets: readonly Scenario[] = [
  {
    name: 'warns at the share of the budget, and goes on',
    agent: { budget: { ...budget, warn_at: 0.5 } },
    prices,
    caller: [question],
    llm: { replies: [['At seven?', uses(500)]] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [turn, warned, heard('At seven?', 2_580)] },
  },
  {
    name: 'is not reached below the share of the budget',
    agent: { budget: { ...budget, warn_at: 0.5 } },
    prices,
    caller: [question],
    llm: { replies: [['At seven?', uses(499)]] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [turn, heard('At seven?', 2_580)] },
  },
  {
    name: 'lets the agent finish its sentence in place of its reply, say the message and hang up',
    agent: { budget },
    prices,
    caller: [question],
    llm: { replies: [[story, { waitMs: 1_000 }, uses(1_000)]] },
    hangsUpAtMs: 20_000,
    expect: {
      // At 3,560 the agent says "Four". That sentence ends with the 28th letter; there are no spaces between clauses.
      timeline: [
        turn,
        { ...warned, atMs: 3_560 },
        { ...reached, atMs: 3_560 },
        { interrupted: true, atMs: 3_980 },
        heard('One two three.Four five six.Time is up.', 2_580),
      ],
      transcript: [
        { caller: 'A table, please.' },
        { agent: 'One two three. Four five six.' },
        { agent: 'Time is up.' },
      ],
      // The last of 28 frames of the message is sent at 4,520, 300 ms before the hang-up.
      ended: { atMs: 4_820, reason: 'budget_exceeded' },
    },
  },
  {
    name: 'lets the model finish the sentence that it is writing, and runs no tool of it',
    agent: { budget, llm_config: { tools: [{ type: 'function', name: 'book' }] } },
    prices,
    caller: [question],
    llm: {
      replies: [[comma, { waitMs: 100 }, uses(1_000), { waitMs: 400 }, 'or at eight. ', 'Well. ', { calls: 'book' }]],
    },
    hangsUpAtMs: 20_000,
    expect: {
      // The sentence has 44 letters.
      timeline: [
        turn,
        { ...warned, atMs: 2_660 },
        { ...reached, atMs: 2_660 },
        { tool: 'book', args: {}, atMs: 3_060 },
        { error: 'cancelled: the call is ending', of: 'book', atMs: 3_060 },
        { interrupted: true, atMs: 4_780 },
        heard('I have a table for you at seven,or at eight.Time is up.', 2_580),
      ],
      ended: { atMs: 5_620, reason: 'budget_exceeded' },
    },
  },
  {
    name: 'cuts off a sentence without an end after 10 s',
    agent: { budget },
    prices,
    caller: [question],
    llm: { replies: [[comma, { waitMs: 100 }, uses(1_000), { stalls: true }]] },
    hangsUpAtMs: 20_000,
    expect: {
      timeline: [
        turn,
        { ...warned, atMs: 2_660 },
        { ...reached, atMs: 2_660 },
        heard('I have a table for you at seven,', 2_580),
        { interrupted: true, atMs: 12_660 },
        heard('Time is up.', 12_660),
      ],
      ended: { atMs: 13_500, reason: 'budget_exceeded' },
    },
  },
  {
    name: 'is reached while the agent is silent: says the message at once',
    agent: { budget },
    prices,
    caller: [question],
    llm: { replies: [[{ waitMs: 1_440 }, uses(1_000)]] },
    hangsUpAtMs: 20_000,
    expect: {
      timeline: [turn, { ...warned, atMs: 4_000 }, { ...reached, atMs: 4_000 }, heard('Time is up.', 4_000)],
      ended: { atMs: 4_840, reason: 'budget_exceeded' },
    },
  },
  {
    name: 'is reached by time within a second',
    agent: { budget: { max_cost: 0.1, message: 'Time is up.' } },
    prices,
    perMinute: 0.6,
    hangsUpAtMs: 20_000,
    expect: {
      // EUR 0.01 per second, checked every second.
      timeline: [{ budget: 'warning', atMs: 8_000 }, { budget: 'reached', atMs: 10_000 }, heard('Time is up.', 10_000)],
      ended: { atMs: 10_840, reason: 'budget_exceeded' },
    },
  },
  {
    name: 'is reached while a tool runs: says the message at once, and cancels the tool with the end of the call',
    agent: { budget, llm_config: { tools: [{ type: 'function', name: 'book' }] } },
    prices,
    caller: [question],
    llm: { replies: [[{ calls: 'book' }, uses(1_000)]] },
    tools: { book: [{ afterMs: 8_000, body: 'done' }] },
    hangsUpAtMs: 20_000,
    expect: {
      timeline: [
        turn,
        { tool: 'book', args: {}, atMs: 2_560 },
        warned,
        reached,
        heard('Time is up.', 2_580),
        { error: 'cancelled: the call ended', of: 'book', atMs: 3_420 },
      ],
      ended: { atMs: 3_420, reason: 'budget_exceeded' },
    },
  },
  {
    name: 'is reached while the caller may be interrupting: leaves out the rest of the sentence',
    agent: { budget },
    prices,
    caller: [question, { noise: true, fromMs: 3_000, toMs: 5_000 }],
    llm: { replies: [[story, { waitMs: 1_440 }, uses(1_000)]] },
    hangsUpAtMs: 20_000,
    expect: {
      // Noise pauses the agent after 500 ms.
      timeline: [
        turn,
        cut('One two three.Four', 2_580, 3_500),
        { interrupted: true, atMs: 3_500 },
        { ...warned, atMs: 4_000 },
        { ...reached, atMs: 4_000 },
        heard('Time is up.', 4_000),
      ],
      ended: { atMs: 4_840, reason: 'budget_exceeded' },
    },
  },
  {
    name: 'says a default sentence in the language of the agent when no message is set',
    agent: { budget: { max_cost: 1 }, stt_config: { language: 'en-GB' } },
    prices,
    caller: [question],
    llm: { replies: [[uses(1_000)]] },
    hangsUpAtMs: 20_000,
    expect: {
      // The synthesizer gets the text clause by clause.
      timeline: [turn, warned, reached, heard('I am sorry,but I have to end our call now.Goodbye.', 2_580)],
      transcript: [{ caller: 'A table, please.' }, { agent: 'I am sorry, but I have to end our call now. Goodbye.' }],
      ended: { atMs: 5_360, reason: 'budget_exceeded' },
    },
  },
  {
    name: 'lets a speech-to-speech model finish its sentence, and truncates its reply there',
    agent: { budget },
    prices,
    caller: [{ says: 'is it free', fromMs: 1_000, toMs: 1_400 }],
    realtime: { replies: [[story, { waitMs: 1_000 }, uses(1_000)]] },
    hangsUpAtMs: 20_000,
    expect: {
      // The turn ends at 1,960. The sentence ends with the 29th letter of the reply.
      timeline: [
        { agent: 'One two three. Four five six.', fromMs: 2_060, toMs: 3_520 },
        { turn: 'is it free', atMs: 2_260 },
        { ...warned, atMs: 3_060 },
        { ...reached, atMs: 3_060 },
        { interrupted: true, atMs: 3_510 },
        heard('Time is up.', 3_620),
      ],
      session: [
        { type: 'commit' },
        { type: 'respond', say: null },
        { type: 'respond', say: 'Time is up.' },
        { type: 'truncate', heardMs: 1_460 },
      ],
      ended: { atMs: 4_460, reason: 'budget_exceeded' },
    },
  },
];

import { describe, expect, it } from 'vitest';
import {
  giveUpSummary,
  notesRequest,
  summarizeWhenIdle,
  summaryLimitAtMs,
  summaryTold,
} from '../../../src/conversation/context/summary.ts';
import { type Summarizing, wholeConversation } from '../../../src/conversation/state/context-window.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { emptyLedger, enter, settle } from '../../../src/conversation/state/tools/tool-ledger.ts';
import type { TranscriptEntry } from '../../../src/conversation/state/transcript.ts';
import { contextSettingsSchema } from '../../../src/domain/agents/context-settings.ts';
import {
  effects,
  heardSpeech,
  openConversation,
  replied,
  said,
  thinkingTurn,
} from '../../support/conversation-state.ts';

/** A text that counts 100 tokens as a message: 96 of four characters, and four for the message. */
const hundred = (mark: string): string => mark.repeat(384);

/** Four turns of 200 tokens each, with a question of the caller and a reply of the agent. */
const turns = ['a', 'b', 'c', 'd'].flatMap((mark) => [said(hundred(mark)), replied(hundred(mark))]);
const settings = contextSettingsSchema.parse({ max_tokens: 1_000, keep_last_turns: 2 });

function conversation(changes: Partial<ConversationState> = {}, context = settings): ConversationState {
  return openConversation({ entries: turns, ...changes }, { context });
}

/** Summarizes when the model has just finished the last of the replies. */
function whenIdle(state: ConversationState, before: Partial<ConversationState> = { agentTurn: thinkingTurn(7) }) {
  const { emit, emitted } = effects();
  const after = summarizeWhenIdle({ ...state, ...before }, state, 9_000, emit);
  const [request] = emitted.flatMap((effect) => (effect.type === 'start-llm' ? [effect] : []));
  return { after, request, summarizing: after.context.summarizing };
}

function requested(state: ConversationState, to = state.entries.length): string {
  return notesRequest(state, to).at(-1)?.content ?? '';
}

const summarizing: Summarizing = { generation: 5, sinceMs: 9_000, to: 4, text: '' };
const writing = conversation({ context: { ...wholeConversation, summarizing } });

describe('summarizeWhenIdle', () => {
  it('asks the model for notes on all but the last turns when the window is nearly full', () => {
    const { request, summarizing: begun, after } = whenIdle(conversation({ lastId: 4 }));
    expect(begun).toEqual({ generation: 5, sinceMs: 9_000, to: 4, text: '' });
    expect(after.lastId).toBe(5);
    expect(request).toMatchObject({ generation: 5, withTools: false });
    expect(request?.messages.at(-1)?.content).toContain(`Caller: ${hundred('b')}`);
    expect(request?.messages.at(-1)?.content).not.toContain(hundred('c'));
  });

  it('waits until the window is three quarters full', () => {
    const spacious = contextSettingsSchema.parse({ max_tokens: 1_100, keep_last_turns: 2 });
    expect(whenIdle(conversation({}, spacious)).request).toBeUndefined();
  });

  it('includes more than the settings keep if the last turns are too large', () => {
    const many = contextSettingsSchema.parse({ max_tokens: 1_000, keep_last_turns: 10 });
    expect(whenIdle(conversation({}, many)).summarizing?.to).toBe(2);
  });

  it('covers what was left out before, even if the window has room again', () => {
    const cut = { ...wholeConversation, from: 6 };
    expect(whenIdle(conversation({ context: cut })).summarizing?.to).toBe(6);
  });

  it('does not ask twice for the same part', () => {
    const done = { ...wholeConversation, from: 4, summary: 'Notes.', summarizedTo: 4 };
    expect(whenIdle(conversation({ context: done })).request).toBeUndefined();
  });

  it.each<[string, Partial<ConversationState>]>([
    ['while the model replies', { agentTurn: thinkingTurn(7) }],
    ['while a reply is due', { reply: { due: { answers: null, toolSteps: 0 }, preemption: null } }],
    ['while the call is closing', { phase: { kind: 'waiting' } }],
    ['while another summary is written', { context: { ...wholeConversation, summarizing } }],
    ['after a failure, before anything else is said', { context: { ...wholeConversation, failedAt: 8 } }],
  ])('does not ask %s', (_when, changes) => {
    expect(whenIdle(conversation(changes)).request).toBeUndefined();
  });

  it('asks again after a failure once more was said', () => {
    expect(whenIdle(conversation({ context: { ...wholeConversation, failedAt: 7 } })).summarizing?.to).toBe(4);
  });

  it('asks only in a step that ends a reply or adds an entry', () => {
    expect(whenIdle(conversation(), {}).request).toBeUndefined();
    expect(whenIdle(conversation(), { entries: turns.slice(0, 7) }).summarizing?.to).toBe(4);
  });

  it('does not ask if the settings, or a speech-to-speech model, have no summaries', () => {
    const without = contextSettingsSchema.parse({ max_tokens: 1_000, keep_last_turns: 2, summarize: false });
    expect(whenIdle(conversation({}, without)).request).toBeUndefined();
    const state = conversation();
    const realtime = { ...state, config: { ...state.config, isRealtime: true } };
    expect(whenIdle(realtime).request).toBeUndefined();
  });

  it('stops before a tool call without an outcome', () => {
    const call = { id: 'call-1', name: 'lookup', arguments: '{}' };
    const entries = turns.map((entry, at) => (at === 1 ? replied(hundred('a'), { toolCalls: [call] }) : entry));
    expect(whenIdle(conversation({ entries, tools: enter(emptyLedger, call) })).summarizing?.to).toBe(1);
    const tools = settle(enter(emptyLedger, call), call.id, { ok: true, result: 'none' });
    expect(whenIdle(conversation({ entries, tools })).summarizing?.to).toBe(4);
  });

  it('stops before speech whose heard part is not known yet', () => {
    const cutOff = [heardSpeech('Hello.', { entry: 3 })];
    const state = conversation();
    expect(whenIdle({ ...state, playout: { ...state.playout, cutOff } }).summarizing?.to).toBe(3);
  });
});

describe('notesRequest', () => {
  it('lists what was said and heard, and the tools with their outcomes', () => {
    const call = { id: 'call-1', name: 'book', arguments: '{"people":2}' };
    const tools = settle(enter(emptyLedger, call), call.id, { ok: false, error: 'full' });
    const entries: TranscriptEntry[] = [
      said('A table, please.'),
      { role: 'system', text: 'The caller is a regular.' },
      replied('One moment. I look.', { heard: 'One moment.', toolCalls: [call] }),
      said(''),
      replied('Sorry.', { heard: '' }),
    ];
    expect(requested(openConversation({ entries, tools })).split('\n')).toEqual([
      'The call:',
      'Caller: A table, please.',
      'Agent: One moment.',
      'Tool book {"people":2}: {"error":"full"}',
    ]);
  });

  it('begins with the notes so far, and leaves out what they cover', () => {
    const context = { ...wholeConversation, from: 2, summary: 'Jan wants a table.', summarizedTo: 2 };
    const entries = [said('one'), replied('two'), said('three')];
    expect(requested(openConversation({ entries, context })).split('\n')).toEqual([
      'Notes so far:',
      'Jan wants a table.',
      '',
      'The call:',
      'Caller: three',
    ]);
  });

  it('cuts off a long outcome of a tool, and the beginning of a long call', () => {
    const call = { id: 'call-1', name: 'read', arguments: '{}' };
    const tools = settle(enter(emptyLedger, call), call.id, { ok: true, result: 'x'.repeat(5_000) });
    const entries = [said('first'), replied('', { heard: '', toolCalls: [call] }), said('last')];
    const whole = requested(openConversation({ entries, tools }));
    expect(whole).toContain(`Tool read {}: ${'x'.repeat(2_000)}\n`);
    const small = contextSettingsSchema.parse({ max_tokens: 500 });
    const long = openConversation({ entries: [said('y'.repeat(9_000)), said('last')] }, { context: small });
    const content = requested(long);
    expect(content.endsWith('Caller: last')).toBe(true);
    expect(content.length).toBe('The call:\n'.length + 4_000);
  });
});

describe('summaryTold', () => {
  const told = (state: ConversationState, ...texts: string[]): ConversationState =>
    texts.reduce((each, text) => summaryTold(each, { type: 'llm-text', generation: 5, text, atMs: 9_100 }), state);
  const done = { type: 'llm-done', generation: 5, atMs: 9_200 } as const;

  it('replaces the covered entries by the collected text', () => {
    const { context } = summaryTold(told(writing, ' Jan wants ', 'a table. '), done);
    expect(context).toEqual({
      from: 4,
      summary: 'Jan wants a table.',
      summarizedTo: 4,
      summarizing: null,
      failedAt: null,
    });
  });

  it('keeps a window that was cut further meanwhile', () => {
    const state = { ...writing, context: { ...writing.context, from: 6 } };
    expect(summaryTold(told(state, 'Notes.'), done).context).toMatchObject({ from: 6, summarizedTo: 4 });
  });

  it('cuts the text to a fifth of the window', () => {
    const { context } = summaryTold(told(writing, 'n'.repeat(5_000)), done);
    expect(context.summary).toHaveLength(800);
  });

  it.each([
    ['the text is empty', told(writing, '  '), done],
    [
      'the model fails',
      told(writing, 'Jan'),
      { ...done, type: 'llm-failed', retryable: true, message: 'lost' } as const,
    ],
  ])('keeps the entries, and notes the failure, if %s', (_when, state, event) => {
    expect(summaryTold(state, event).context).toEqual({ ...wholeConversation, failedAt: 8 });
  });

  it('ignores tool calls of the model, and events without a summary', () => {
    const call = { id: 'call-1', name: 'lookup', arguments: '{}' };
    expect(summaryTold(writing, { type: 'llm-tool-call', generation: 5, call, atMs: 9_100 })).toBe(writing);
    const idle = conversation();
    expect(summaryTold(idle, done)).toBe(idle);
  });
});

describe('a summary that takes too long', () => {
  it('times out after 20 s', () => {
    expect(summaryLimitAtMs(writing)).toBe(29_000);
    expect(summaryLimitAtMs(conversation())).toBeNull();
  });

  it('is cancelled, and counts as a failure', () => {
    const { emit, emitted } = effects();
    expect(giveUpSummary(writing, emit).context).toEqual({ ...wholeConversation, failedAt: 8 });
    expect(emitted).toEqual([{ type: 'cancel-llm', generation: 5 }]);
  });

  it('is not cancelled if there is none', () => {
    const { emit, emitted } = effects();
    const idle = conversation();
    expect([giveUpSummary(idle, emit), emitted]).toEqual([idle, []]);
  });
});

import { describe, expect, it } from 'vitest';
import { beginClosing } from '../../src/conversation/ending/begin-closing.ts';
import type { ConversationState } from '../../src/conversation/state/conversation-state.ts';
import { timersOf } from '../../src/conversation/timers.ts';
import { defaultTurnPolicy } from '../../src/conversation/turns/default-turn-policy.ts';
import { callerTurn, openConversation, speakingAgent } from '../support/conversation-state.ts';

const ending = { reason: 'agent_hangup', error: null } as const;

function dueAt(state: ConversationState): Record<string, number> {
  return Object.fromEntries(timersOf(state).map(({ name, dueAtMs }) => [name, dueAtMs]));
}

describe('timersOf', () => {
  it('has none before the answer, and none after the end', () => {
    expect(timersOf(openConversation({ phase: { kind: 'waiting' } }))).toEqual([]);
    expect(timersOf(openConversation({ phase: { kind: 'closed', ending } }))).toEqual([]);
  });

  it('bounds an open call from its answer on', () => {
    const state = openConversation({}, { maxDurationMs: 60_000 });
    expect(dueAt({ ...state, opening: { ...state.opening, answeredAtMs: 1_500 } })).toEqual({ 'max-duration': 61_500 });
  });

  it('ends the silence of both sides after the set time', () => {
    expect(dueAt(openConversation({ silence: { sinceMs: 4_000, prompts: 0 } }))).toMatchObject({ silence: 14_000 });
  });

  it('has the timers of the caller’s turn', () => {
    const userTurn = callerTurn({ kind: 'ending', text: 'Is it open?', completeness: 'complete' });
    const timers = dueAt(openConversation({ userTurn }));
    expect(Object.keys(timers).sort()).toEqual(['end-of-turn', 'max-duration', 'max-turn', 'preempt']);
  });

  it('has the timers of keys, of a first message that waits, and of speech over the agent', () => {
    const { caller, opening } = openConversation();
    const state = speakingAgent('We are open.', {
      userTurn: callerTurn(),
      caller: { ...caller, keys: { digits: '1', lastAtMs: 5_100 } },
      opening: { ...opening, greetingDueAtMs: 500 },
    });
    expect(dueAt(state)).toMatchObject({ keys: 7_100, greeting: 500, interrupt: 5_250, 'no-words': 15_000 });
  });

  it.each([null, Number.POSITIVE_INFINITY])('has no timer for %s of a turn policy', (never) => {
    const end = { ...defaultTurnPolicy.end, endsAtMs: () => never, limitAtMs: () => never };
    const userTurn = callerTurn({ kind: 'ending' });
    const timers = dueAt(openConversation({ userTurn }, { turnPolicy: { ...defaultTurnPolicy, end } }));
    expect(Object.keys(timers)).toEqual(['max-duration']);
  });

  it('returns the same timers for the same state', () => {
    const state = openConversation();
    expect(timersOf(state)).toBe(timersOf(state));
  });
});

describe('timersOf a call that is closing', () => {
  it('bounds the goodbye, and hangs up once the agent is silent', () => {
    const closing = beginClosing(speakingAgent('Goodbye.'), ending, 6_000);
    expect(dueAt(closing)).toEqual({ 'closing-limit': 36_000 });
    const silent = { ...closing, phase: { ...closing.phase, silentAtMs: 7_000 } } as ConversationState;
    expect(dueAt(silent)).toEqual({ 'closing-limit': 36_000, hangup: 7_300 });
  });

  it('waits for the end of the sentence before the farewell', () => {
    const closing = beginClosing(speakingAgent('We are open until nine. Come in.'), ending, 5_000, 'Goodbye.');
    expect(Object.keys(dueAt(closing))).toEqual(['closing-limit', 'sentence-end']);
  });
});

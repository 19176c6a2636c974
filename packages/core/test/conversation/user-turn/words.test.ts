import { describe, expect, it } from 'vitest';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { defaultTurnPolicy } from '../../../src/conversation/turns/default-turn-policy.ts';
import {
  partFinalized,
  turnJudged,
  turnTranscribed,
  wordsHeard,
} from '../../../src/conversation/user-turn/user-turn.ts';
import { callerTurn, effects, openConversation, speakingAgent, speechOf } from '../../support/conversation-state.ts';

function speaking(
  turn: Parameters<typeof callerTurn>[0] = {},
  changes: Partial<ConversationState> = {},
  config: Partial<ConversationConfig> = {},
): ConversationState {
  return openConversation({ userTurn: callerTurn(turn), ...changes }, config);
}

function heard(state: ConversationState, text: string, options: { final?: boolean; part?: number | null } = {}) {
  const { final = false, part = null } = options;
  const { emit, emitted } = effects();
  return { after: wordsHeard(state, { part, final, text, atMs: 6_000 }, emit), emitted };
}

describe('wordsHeard', () => {
  it('replaces provisional words, and keeps final ones', () => {
    const partial = heard(speaking(), 'a tab').after;
    const changed = heard(partial, ' a table ').after;
    expect(changed.userTurn).toMatchObject({ finals: [], partial: 'a table', text: 'a table', wordsAtMs: 6_000 });
    const final = heard(changed, 'A table', { final: true }).after;
    expect(final.userTurn).toMatchObject({ finals: ['A table'], partial: '', text: 'A table' });
    expect(heard(final, 'for  two', { final: false }).after.userTurn.text).toBe('A table for two');
  });

  it('drops provisional words at an empty final result', () => {
    const after = heard(speaking({ partial: 'uh', text: 'uh' }), '', { final: true }).after;
    expect(after.userTurn).toMatchObject({ finals: [], partial: '', text: '' });
  });

  it('judges words that change, and keeps the time of words that do not', () => {
    const asked = heard(speaking(), 'Is it open?').after;
    expect(asked.userTurn.completeness).toBe('complete');
    const { userTurn } = asked;
    const same = wordsHeard(asked, { part: null, final: true, text: 'Is it open?', atMs: 7_000 }, effects().emit);
    expect([same.userTurn.wordsAtMs, same.userTurn.completeness]).toEqual([6_000, userTurn.completeness]);
  });

  it('learns from the first punctuation mark in final words that the recognizer sets marks', () => {
    expect(heard(speaking(), 'Yes.').after.caller.hasMarks).toBe(false);
    expect(heard(speaking(), 'Yes', { final: true }).after.caller.hasMarks).toBe(false);
    const marked = heard(speaking(), 'Yes.', { final: true }).after;
    expect(marked.caller.hasMarks).toBe(true);
    expect(heard(marked, 'no', { final: true }).after.caller.hasMarks).toBe(true);
  });

  it('starts a turn by words that the detector did not hear', () => {
    const { after } = heard(openConversation(), 'hello');
    expect(after.userTurn).toMatchObject({ kind: 'ending', voiced: false, startedAtMs: 6_000, lastSpeechAtMs: 6_000 });
    expect(heard(openConversation(), '  ').after.userTurn.kind).toBe('idle');
  });

  it('starts no turn if the policy forbids it', () => {
    const start = { startsTurn: () => false };
    const state = openConversation({}, { turnPolicy: { ...defaultTurnPolicy, start } });
    expect(heard(state, 'hello').after).toBe(state);
  });

  it('does not prolong detected speech', () => {
    expect(heard(speaking({ kind: 'ending', lastSpeechAtMs: 5_800 }), 'yes').after.userTurn.lastSpeechAtMs).toBe(5_800);
  });

  it('cuts off an agent whose policy is interrupted by words', () => {
    const speech = speechOf({ interruption: { min_words: 2 } });
    const state = speakingAgent('We are open.', { userTurn: callerTurn() }, { speech });
    expect(heard(state, 'wait').after.agentTurn.kind).toBe('active');
    const { after, emitted } = heard(state, 'wait please');
    expect(after.agentTurn.kind).toBe('silent');
    expect(emitted.map(({ type }) => type)).toContain('clear-playout');
  });

  it('drops a prepared reply to other words', () => {
    const preemption = {
      generation: 4,
      text: 'is it',
      entries: 0,
      systemPrompt: [],
      parts: [],
      done: false,
      isSpeechPrepared: false,
    };
    const { after, emitted } = heard(speaking({}, { reply: { due: null, preemption } }), 'is it open');
    expect([after.reply.preemption, emitted]).toEqual([null, [{ type: 'cancel-llm', generation: 4 }]]);
  });
});

describe('words of earlier turns', () => {
  const state = speaking({ superseded: [2, 4], supersededUntilMs: 7_000, awaited: [6], parts: [6] });

  it.each([1, 2, 4])('are dropped if they belong to part %d', (part) => {
    expect(heard(state, 'late', { part }).after).toBe(state);
  });

  it.each([null, 6])('do not include words of part %s, which are accepted', (part) => {
    expect(heard(state, 'now', { part }).after.userTurn.text).toBe('now');
  });

  it('are accepted after a second if the recognizer has not finalized them', () => {
    const later = speaking({ superseded: [2, 4], supersededUntilMs: 6_000 });
    expect(heard(later, 'late', { part: 4 }).after.userTurn.text).toBe('late');
  });
});

describe('partFinalized', () => {
  const settled = (turn: Parameters<typeof callerTurn>[0], part: number | null) =>
    partFinalized(speaking(turn), { part, atMs: 6_000 }).userTurn;

  it('no longer awaits the part', () => {
    expect(settled({ awaited: [4, 6] }, 6).awaited).toEqual([4]);
  });

  it('settles the oldest part if the answer has no part number, or an unknown one', () => {
    expect(settled({ awaited: [4, 6] }, null).awaited).toEqual([6]);
    expect(settled({ awaited: [4, 6] }, 5).awaited).toEqual([6]);
    expect(settled({ awaited: [] }, null).awaited).toEqual([]);
  });

  it('settles a part of an earlier turn, and leaves this turn alone', () => {
    const turn = settled({ superseded: [2, 3], supersededUntilMs: 7_000, awaited: [4] }, 2);
    expect(turn).toMatchObject({ superseded: [3], awaited: [4] });
  });
});

describe('turnTranscribed', () => {
  const told = (state: ConversationState, turn: number, text: string) => {
    const { emit, emitted } = effects();
    return { after: turnTranscribed(state, { turn, text, atMs: 6_000 }, emit), emitted };
  };
  const realtime = { isRealtime: true };

  it('adds the words of the current turn', () => {
    const { after } = told(speaking({ awaited: [3], parts: [3] }, {}, realtime), 3, 'hello');
    expect(after.userTurn).toMatchObject({ text: 'hello', awaited: [] });
  });

  it('completes the entry of an earlier turn, part by part', () => {
    const entries = [{ role: 'user', text: '', awaits: [3, 5] } as const];
    const first = told(openConversation({ entries }, realtime), 3, ' I would ');
    expect(first.after.entries).toEqual([{ role: 'user', text: 'I would', awaits: [5] }]);
    expect(first.emitted).toEqual([{ type: 'notice', notice: { type: 'user-turn', text: 'I would' } }]);
    expect(told(first.after, 5, 'like tea').after.entries).toEqual([
      { role: 'user', text: 'I would like tea', awaits: [] },
    ]);
  });

  it('reports no empty words', () => {
    const entries = [{ role: 'user', text: '', awaits: [3] } as const];
    const { after, emitted } = told(openConversation({ entries }, realtime), 3, '  ');
    expect([after.entries, emitted]).toEqual([[{ role: 'user', text: '', awaits: [] }], []]);
  });

  it('drops words that no entry awaits', () => {
    const entries = [{ role: 'user', text: 'Hello' } as const];
    const { after, emitted } = told(openConversation({ entries }, realtime), 3, 'again');
    expect([after.entries, emitted]).toEqual([entries, []]);
  });
});

describe('turnJudged', () => {
  const words = { finals: ['is it open'], text: 'is it open', completeness: 'open' } as const;
  const judged = (state: ConversationState, judgment: Parameters<typeof turnJudged>[1]['judgment']) => {
    const { emit, emitted } = effects();
    return { after: turnJudged(state, { judgment, atMs: 6_000 }, emit), types: emitted.map(({ type }) => type) };
  };

  it('prepares a reply when the turn is ending, and drops it when it goes on', () => {
    const ending = judged(speaking(words), 'turn-ending');
    expect(ending.types).toEqual(['start-llm']);
    expect(judged(ending.after, 'turn-resumed').types).toEqual(['cancel-llm']);
  });

  it('ends the turn, if there is one', () => {
    expect(judged(speaking(words), 'turn-ended').after).toMatchObject({ userTurn: { kind: 'idle' } });
    const idle = openConversation();
    expect(judged(idle, 'turn-ended').after).toBe(idle);
  });

  it('does not start a turn, which only the detector does', () => {
    const idle = openConversation();
    expect(judged(idle, 'turn-started').after).toBe(idle);
  });
});

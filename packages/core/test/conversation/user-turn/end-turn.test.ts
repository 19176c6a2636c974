import { describe, expect, it } from 'vitest';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { ExternalTool } from '../../../src/conversation/state/tools/call-tool.ts';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import { endTurn, endTurnNow } from '../../../src/conversation/user-turn/user-turn.ts';
import {
  callerTurn,
  effects,
  heardSpeech,
  openConversation,
  said,
  speakingAgent,
  speechOf,
  thinkingTurn,
} from '../../support/conversation-state.ts';

/** A turn of the caller that ends at 6,225 ms. */
const spoken = callerTurn({
  kind: 'ending',
  text: 'Is it open?',
  finals: ['Is it open?'],
  wordsAtMs: 5_900,
  lastSpeechAtMs: 6_000,
});
const answers = { lastSpeechAtMs: 6_000, endedAtMs: 6_225, wordsAtMs: 5_900 };

function ended(state: ConversationState) {
  const { emit, emitted } = effects();
  return { after: endTurn(state, 6_225, emit), emitted, types: emitted.map(({ type }) => type) };
}

function quiet(turn: Parameters<typeof callerTurn>[0] = {}, config: Partial<ConversationConfig> = {}) {
  return openConversation({ userTurn: { ...spoken, ...turn } }, config);
}

describe('endTurn of a silent agent', () => {
  it('adds the words to the transcript, and makes a reply due', () => {
    const { after, emitted } = ended(quiet());
    expect(after.entries).toEqual([said('Is it open?')]);
    expect(after.reply.due).toEqual({ answers, toolSteps: 0 });
    expect(after.userTurn).toMatchObject({ kind: 'idle', text: '' });
    expect(emitted).toEqual([{ type: 'notice', notice: { type: 'user-turn', text: 'Is it open?' } }]);
  });

  it('measures the wait from now if the caller is still speaking, and not from a pause', () => {
    expect(ended(quiet({ kind: 'speaking' })).after.reply.due?.answers?.lastSpeechAtMs).toBe(6_225);
    const pausing = quiet({ kind: 'speaking', pausedAtMs: 6_020 });
    expect(ended(pausing).after.reply.due?.answers?.lastSpeechAtMs).toBe(6_000);
  });

  it('marks pending words of this turn to be dropped for a second', () => {
    const { userTurn } = ended(quiet({ awaited: [4], superseded: [2], supersededUntilMs: 6_300 })).after;
    expect(userTurn).toMatchObject({ superseded: [2, 4], supersededUntilMs: 7_225 });
  });

  it('reduces the learned pause, and resets the count of unrecognized turns', () => {
    const state = quiet();
    const { caller } = ended({
      ...state,
      caller: { ...state.caller, learnedPauseMs: 1_000, unrecognizedTurns: 2 },
    }).after;
    expect(caller).toMatchObject({ learnedPauseMs: 800, unrecognizedTurns: 0 });
  });

  it('makes no reply due if the turn was answered before its end, or during a take-over', () => {
    expect(ended(quiet({ isAnswered: true })).after).toMatchObject({
      entries: [said('Is it open?')],
      reply: { due: null },
    });
    const state = quiet();
    const takenOver = { ...state, playout: { ...state.playout, isTakenOver: true } };
    expect(ended(takenOver).after).toMatchObject({ entries: [said('Is it open?')], reply: { due: null } });
  });

  it('makes no turn of speech without words', () => {
    const { after } = ended(quiet({ text: '', finals: [], startedAtMs: 5_900 }));
    expect([after.entries, after.reply.due]).toEqual([[], null]);
  });

  it('cancels pending tools with cancelOnInterruption', () => {
    const lookup: ExternalTool = {
      type: 'function',
      name: 'lookup',
      description: '',
      parameters: {},
      async: true,
      timeoutMs: 10_000,
      cancelOnInterruption: true,
    };
    const tools = enter(emptyLedger, { id: 'call-1', name: 'lookup', arguments: '{}' });
    const cancelled = ended({ ...quiet({}, { tools: [lookup] }), tools });
    expect(cancelled.types).toContain('cancel-tool');
    const kept = ended({ ...quiet({}, { tools: [{ ...lookup, cancelOnInterruption: false }] }), tools });
    expect(kept.types).not.toContain('cancel-tool');
  });
});

describe('endTurn of a speech-to-speech model', () => {
  const config = { isRealtime: true };

  it('adds an entry for words that come later', () => {
    const { after, types } = ended(quiet({ text: '', finals: [], awaited: [4], parts: [3, 4] }, config));
    expect(after.entries).toEqual([{ role: 'user', text: '', awaits: [3, 4] }]);
    expect(after.reply.due?.answers).toMatchObject({ wordsAtMs: null });
    expect(types).toEqual([]);
  });

  it('adds the words if all are known', () => {
    expect(ended(quiet({ awaited: [], parts: [3] }, config)).after.entries).toEqual([said('Is it open?')]);
  });
});

describe('endTurn over a speaking agent', () => {
  function over(
    turn: Parameters<typeof callerTurn>[0] = {},
    text = 'We close at nine.',
    config: Partial<ConversationConfig> = {},
  ): ConversationState {
    return speakingAgent(text, { userTurn: { ...spoken, ...turn } }, config);
  }

  it('interrupts the agent, and makes a reply due', () => {
    const { after, types } = ended(over());
    expect(after.agentTurn.kind).toBe('silent');
    expect(types).toContain('clear-playout');
    expect(after.reply.due).toEqual({ answers, toolSteps: 0 });
  });

  it('does not stop the agent for a backchannel, which needs no reply', () => {
    const { after } = ended(over({ text: 'uh-huh' }));
    expect([after.agentTurn.kind, after.reply.due]).toEqual(['active', null]);
    expect(after.entries.at(-1)).toEqual(said('uh-huh'));
  });

  it('answers a backchannel that is the reply to a question', () => {
    const { after } = ended(over({ text: 'okay' }, 'Shall I book it?'));
    expect([after.agentTurn.kind, after.reply.due?.answers]).toEqual(['active', answers]);
    expect(ended(over({ text: 'uh-huh' }, 'We close at nine.')).after.reply.due).toBeNull();
  });

  it('resumes a paused agent after too few words', () => {
    const speech = speechOf({ interruption: { min_words: 3 } });
    const state = over({ text: 'hello there' }, 'We close at nine.', { speech });
    const speeches = [heardSpeech('We close at nine.')];
    const agentTurn = thinkingTurn(0, { llm: null, speeches, paused: { sinceMs: 5_300, quietSinceMs: 6_000 } });
    const { after, types } = ended({ ...state, agentTurn });
    expect([after.agentTurn.kind, after.reply.due]).toEqual(['active', null]);
    expect(types).toContain('resume-playout');
  });

  it('makes a reply due after a message that must not be interrupted', () => {
    const speeches = [heardSpeech('We close at nine.')];
    const agentTurn = thinkingTurn(0, { llm: null, speeches, interruptible: false });
    const { after } = ended({ ...over(), agentTurn });
    expect([after.agentTurn.kind, after.reply.due?.answers]).toEqual(['active', answers]);
  });
});

describe('endTurnNow', () => {
  it('finalizes the words so far, and drops those that arrive later', () => {
    const { emit, emitted } = effects();
    const after = endTurnNow({ ...quiet({ kind: 'speaking' }), lastId: 6 }, 6_225, emit);
    expect(emitted[0]).toEqual({ type: 'finalize-stt', part: 7, awaited: [] });
    expect(after.userTurn.superseded).toEqual([7]);
    expect(after.entries).toEqual([said('Is it open?')]);
  });
});

import { describe, expect, it } from 'vitest';
import { cutAgentOff, playoutCleared } from '../../../src/conversation/agent-turn/playout.ts';
import type { ActiveAgentTurn } from '../../../src/conversation/state/agent/agent-turn.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import {
  callerTurn,
  effects,
  heardSpeech,
  openConversation,
  replied,
  said,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const text = 'We are open until nine.';
const answers = { lastSpeechAtMs: 3_000, endedAtMs: 3_250, wordsAtMs: 3_100 };
const running = enter(emptyLedger, { id: 'call-1', name: 'lookup', arguments: '{}' });
const unheard = heardSpeech(text, { entry: 1, started: false, startedAtMs: null });
const heard = heardSpeech(text, { entry: 1 });

/** A conversation whose agent answers a question of the caller. */
function answering(turn: Partial<ActiveAgentTurn> = {}, changes: Partial<ConversationState> = {}): ConversationState {
  const entries = [said('Is it open?'), replied(text, { heard: '' })];
  const agentTurn = thinkingTurn(1, { llm: null, answers, ...turn });
  return openConversation({ entries, agentTurn, userTurn: callerTurn(), lastId: 1, ...changes });
}

function cut(state: ConversationState, spokenAtMs: number | null = 5_300) {
  const { emit, emitted } = effects();
  const after = cutAgentOff(state, spokenAtMs, emit);
  return { after, emitted, types: emitted.map(({ type }) => type), due: after.reply.due };
}

describe('cutAgentOff', () => {
  it('stops the model, the synthesizer and the playout', () => {
    const { after, emitted } = cut(answering({ llm: thinkingTurn(1).llm, speeches: [heard] }));
    expect(after.agentTurn).toEqual({ kind: 'silent' });
    expect(emitted).toEqual([
      { type: 'cancel-llm', generation: 1 },
      { type: 'cancel-utterance', utterance: 1 },
      { type: 'clear-playout' },
      { type: 'notice', notice: { type: 'interrupted' } },
    ]);
  });

  it('waits for what the playout reports of unfinished utterances', () => {
    const finished = heardSpeech('Hello.', { utterance: 7, finished: true });
    const { after, types } = cut(answering({ speeches: [finished, heard] }));
    expect(after.playout.cutOff).toEqual([heard]);
    expect(types.filter((type) => type === 'cancel-utterance')).toHaveLength(1);
  });

  it('cancels no utterance that the synthesizer never got', () => {
    expect(cut(answering({ speeches: [heardSpeech('', { opened: false })] })).types).not.toContain('cancel-utterance');
  });

  it('reports no interruption when nothing was heard, or when the agent was already paused', () => {
    expect(cut(answering({ speeches: [unheard] })).types).not.toContain('notice');
    const paused = { sinceMs: 5_250, quietSinceMs: null };
    expect(cut(answering({ speeches: [heard], paused })).types).not.toContain('notice');
  });

  it('restores the level of the voice', () => {
    const state = answering({ speeches: [heard] });
    expect(cut({ ...state, playout: { ...state.playout, isLowered: true } }).after.playout.isLowered).toBe(false);
  });

  it('does nothing to a silent agent', () => {
    const state = openConversation();
    const { after, emitted } = cut(state);
    expect([after, emitted]).toEqual([state, []]);
  });
});

describe('the reply of an agent that is cut off', () => {
  it('becomes due again if nothing of it was heard', () => {
    expect(cut(answering({ speeches: [unheard] })).due).toEqual({ answers, toolSteps: 0 });
    expect(cut(answering({ llm: thinkingTurn(1).llm })).due).toEqual({ answers, toolSteps: 0 });
  });

  it('does not become due again once it was heard', () => {
    expect(cut(answering({ speeches: [heard] })).due).toBeNull();
  });

  it('becomes due again although a filler in an earlier entry was heard', () => {
    const filler = heardSpeech('One moment.', { utterance: 7, entry: 0 });
    expect(cut(answering({ speeches: [filler, unheard] })).due).toEqual({ answers, toolSteps: 0 });
  });

  it('becomes due again after a tool call even if part of it was heard', () => {
    expect(cut(answering({ speeches: [heard], toolSteps: 1 }, { tools: running })).due).toEqual({
      answers: null,
      toolSteps: 2,
    });
    const reply = { due: { answers, toolSteps: 1 }, preemption: null };
    expect(cut(answering({ speeches: [heard] }, { reply })).due).toEqual({ answers: null, toolSteps: 1 });
  });

  it('stays due unchanged if it was waiting for the floor', () => {
    const reply = { due: { answers, toolSteps: 0 }, preemption: null };
    expect(cut(answering({ speeches: [heard], toolSteps: 2 }, { reply })).due).toEqual(reply.due);
  });

  it('does not become due for a message that answers nothing', () => {
    expect(cut(answering({ speeches: [unheard], answers: null })).due).toBeNull();
  });
});

describe('playoutCleared', () => {
  const interrupted = answering({}, { agentTurn: { kind: 'silent' } });
  const cleared = (cutOff: readonly (typeof heard)[], cutAt: readonly { utterance: number; playedMs: number }[]) => {
    const { emit, emitted } = effects();
    const state = { ...interrupted, playout: { ...interrupted.playout, cutOff } };
    return { after: playoutCleared(state, cutAt, emit), emitted };
  };

  it('keeps in the transcript what was heard', () => {
    const { after, emitted } = cleared([heard], [{ utterance: 1, playedMs: 1_200 }]);
    expect(after.entries[1]).toMatchObject({ full: text, heard: 'We are open', interrupted: true });
    expect(after.playout.cutOff).toEqual([]);
    const spoke = { type: 'agent-spoke', full: text, heard: 'We are open', interrupted: true };
    expect(emitted).toEqual([{ type: 'notice', notice: spoke }]);
  });

  it('takes an utterance that the playout does not mention as not heard', () => {
    const { after, emitted } = cleared([unheard], []);
    expect(after.entries[1]).toMatchObject({ heard: '', interrupted: true });
    expect(emitted).toEqual([]);
  });

  it('reports to a speech-to-speech model how much of its audio was heard', () => {
    const { emitted } = cleared([{ ...heard, voiceOf: 1 }], [{ utterance: 1, playedMs: 1_200 }]);
    expect(emitted[0]).toEqual({ type: 'cut-short', utterance: 1, playedMs: 1_200 });
  });

  it('appends to the text of the entry that was heard before', () => {
    const state = answering({}, { agentTurn: { kind: 'silent' } });
    const entries = [said('Is it open?'), replied('One moment. We are open.', { heard: 'One moment.' })];
    const cutOff = [heardSpeech('We are open.', { entry: 1 })];
    const after = playoutCleared(
      { ...state, entries, playout: { ...state.playout, cutOff } },
      [{ utterance: 1, playedMs: 700 }],
      effects().emit,
    );
    expect(after.entries[1]).toMatchObject({ heard: 'One moment. We are' });
  });
});

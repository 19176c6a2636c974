import { describe, expect, it } from 'vitest';
import { beginClosing, noteSilence } from '../../../src/conversation/ending/begin-closing.ts';
import { budgetChanged } from '../../../src/conversation/ending/budget.ts';
import { sayFarewell, sentenceEndAtMs } from '../../../src/conversation/ending/farewell.ts';
import type { Speech } from '../../../src/conversation/state/agent/agent-turn.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import {
  effects,
  heardSpeech,
  openConversation,
  speakingAgent,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const used = { scope: 'call', cost: 1, limit: 1, atMs: 5_000 } as const;
const reached = { ...used, level: 'reached' } as const;
const hangup = { reason: 'agent_hangup', error: null } as const;

/** A conversation whose caller hears an utterance of the agent, with 3.2 s of audio from 4,000 ms on. */
function speaking(changes: Partial<Speech> = {}): ConversationState {
  const text = 'We are open until nine. Come in.';
  return speakingAgent(text, { agentTurn: thinkingTurn(0, { speeches: [heardSpeech(text, changes)] }) });
}

describe('budgetChanged', () => {
  it('only reports a warning', () => {
    const { emit, emitted } = effects();
    const state = openConversation();
    expect(budgetChanged(state, { ...used, level: 'warning' }, emit)).toBe(state);
    expect(emitted).toEqual([
      { type: 'notice', notice: { type: 'budget', scope: 'call', level: 'warning', cost: 1, limit: 1 } },
    ]);
  });

  it('begins to close with the farewell, and drops the reply that is due', () => {
    const { emit } = effects();
    const state = openConversation({ reply: { due: { answers: null, toolSteps: 0 }, preemption: null } });
    const after = budgetChanged(state, reached, emit);
    expect(after.phase).toMatchObject({
      kind: 'closing',
      ending: { reason: 'budget_exceeded' },
      sinceMs: 5_000,
      farewell: 'Goodbye.',
    });
    expect(after.reply.due).toBeNull();
  });

  it('ends a call at once that is not answered yet', () => {
    const { emit, emitted } = effects();
    const after = budgetChanged(openConversation({ phase: { kind: 'waiting' } }), reached, emit);
    expect(after.phase.kind).toBe('closed');
    expect(emitted.at(-1)).toEqual({ type: 'hang-up', ending: { reason: 'budget_exceeded', error: null } });
  });

  it('changes nothing in a call that is closing for another reason', () => {
    const { emit, emitted } = effects();
    const closing = beginClosing(openConversation(), hangup, 1_000);
    expect(budgetChanged(closing, reached, emit)).toBe(closing);
    expect(emitted).toEqual([]);
  });
});

describe('beginClosing', () => {
  it('keeps the first ending', () => {
    const first = beginClosing(openConversation(), hangup, 1_000);
    expect(beginClosing(first, { reason: 'budget_exceeded', error: null }, 2_000, 'Bye.')).toBe(first);
  });
});

describe('noteSilence', () => {
  it('records the first silence of the agent in the closing phase, and no later one', () => {
    const closing = beginClosing(openConversation(), hangup, 1_000);
    const silent = noteSilence(closing, 1_500);
    expect(silent.phase).toMatchObject({ silentAtMs: 1_500 });
    expect(noteSilence(silent, 2_000)).toBe(silent);
  });

  it('records nothing while the agent speaks, and before the closing phase', () => {
    const closing = beginClosing(speaking(), hangup, 5_000);
    expect(noteSilence(closing, 6_000)).toBe(closing);
    const open = openConversation();
    expect(noteSilence(open, 6_000)).toBe(open);
  });
});

describe('the farewell', () => {
  it('waits for the end of the sentence that is heard', () => {
    const closing = budgetChanged(speaking(), reached, effects().emit);
    // The first sentence has 23 of 32 characters, at 100 ms each.
    expect(sentenceEndAtMs(closing)).toBeCloseTo(6_300);
    const { emit, emitted } = effects();
    expect(sayFarewell(closing, 5_000, emit)).toBe(closing);
    expect(emitted).toEqual([]);
  });

  it('waits 10 s at most for a sentence whose end is unknown', () => {
    const unknown = speaking({ words: [{ text: 'We', startMs: 0, endMs: 200 }] });
    expect(sentenceEndAtMs(budgetChanged(unknown, reached, effects().emit))).toBe(15_000);
  });

  it('is said at once, and once, when nothing is heard', () => {
    const { emit, emitted } = effects();
    const closing = budgetChanged(openConversation(), reached, emit);
    const saying = sayFarewell(closing, 5_000, emit);
    expect(emitted.flatMap((effect) => (effect.type === 'speak' ? [effect.text] : []))).toEqual(['Goodbye.']);
    expect(saying.agentTurn).toMatchObject({ kind: 'active', interruptible: false });
    expect(sentenceEndAtMs(saying)).toBeNull();
    expect(sayFarewell(saying, 6_000, emit)).toBe(saying);
  });

  it('is not said in a call that ends for another reason', () => {
    expect(sentenceEndAtMs(beginClosing(speaking(), hangup, 5_000))).toBeNull();
    expect(sentenceEndAtMs(speaking())).toBeNull();
  });
});

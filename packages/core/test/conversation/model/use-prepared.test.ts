import { describe, expect, it } from 'vitest';
import { usePrepared } from '../../../src/conversation/model/use-prepared.ts';
import type { Preemption } from '../../../src/conversation/state/agent/reply.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { ExternalTool } from '../../../src/conversation/state/tools/call-tool.ts';
import {
  callerTurn,
  effects,
  openConversation,
  replied,
  said,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const lookup: ExternalTool = {
  type: 'function',
  name: 'lookup',
  description: '',
  parameters: {},
  async: false,
  timeoutMs: 10_000,
  cancelOnInterruption: false,
};
const call = { id: 'call-1', name: 'lookup', arguments: '{"day":"friday"}' };

/** A turn that has ended, with a reply that was prepared for it and has the generation 1. */
function ended(preemption: Partial<Preemption> = {}, changes: Partial<ConversationState> = {}): ConversationState {
  const prepared = {
    generation: 1,
    text: 'Is it open?',
    entries: 0,
    systemPrompt: [],
    parts: [{ type: 'text', text: 'We are open. ' } as const],
    done: false,
    isSpeechPrepared: false,
    ...preemption,
  };
  return openConversation(
    {
      entries: [said('Is it open?'), replied('', { heard: '' })],
      agentTurn: thinkingTurn(1),
      reply: { due: null, preemption: prepared },
      lastId: 1,
      ...changes,
    },
    { tools: [lookup] },
  );
}

function used(state: ConversationState) {
  const { emit, emitted } = effects();
  return { after: usePrepared(state, 4_000, emit), emitted, types: emitted.map(({ type }) => type) };
}

describe('usePrepared', () => {
  it('speaks the prepared text as if it came now, and waits for the rest', () => {
    const { after, types } = used(ended());
    expect(types).toEqual(['open-utterance', 'speak']);
    expect(after.entries[1]).toMatchObject({ full: 'We are open. ' });
    expect(after.agentTurn).toMatchObject({ firstTokenAtMs: 4_000, llm: { generation: 1 } });
    expect(after.reply.preemption).toBeNull();
    expect(after.latency.prepared.used).toBe(1);
  });

  it('runs the tools that it held back, and completes a reply that is done', () => {
    const parts = [{ type: 'tool-call', call } as const];
    const { after, emitted } = used(ended({ parts, done: true }));
    expect(emitted).toContainEqual(expect.objectContaining({ type: 'run-tool', arguments: { day: 'friday' } }));
    expect(after.agentTurn).toMatchObject({ llm: null });
    expect(after.reply.due).toMatchObject({ toolSteps: 1 });
  });

  it('drops a reply that the turn does not use', () => {
    const other = used(ended({ generation: 7 }));
    expect([other.after.reply.preemption, other.emitted]).toEqual([null, [{ type: 'cancel-llm', generation: 7 }]]);
    const silent = used(ended({}, { agentTurn: { kind: 'silent' } }));
    expect(silent.types).toEqual(['cancel-llm']);
    expect(silent.after.latency.prepared.used).toBe(0);
  });

  it('keeps the prepared reply while the turn goes on, and does nothing without one', () => {
    const going = ended({}, { userTurn: callerTurn() });
    expect(used(going)).toMatchObject({ after: going, emitted: [] });
    const none = ended({}, { reply: { due: null, preemption: null } });
    expect(used(none)).toMatchObject({ after: none, emitted: [] });
  });
});

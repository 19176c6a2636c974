import { describe, expect, it } from 'vitest';
import { textTyped } from '../../../src/conversation/user-turn/typed-text.ts';
import {
  effects,
  heardSpeech,
  openConversation,
  said,
  speakingAgent,
  thinkingTurn,
} from '../../support/conversation-state.ts';

describe('textTyped', () => {
  it('is a turn of its own that is answered', () => {
    const { emit, emitted } = effects();
    const after = textTyped(openConversation({ silence: { sinceMs: 0, prompts: 2 } }), 'Is it open?', 3_000, emit);
    expect(after.entries).toEqual([said('Is it open?')]);
    expect(after.reply.due?.answers).toEqual({ lastSpeechAtMs: 3_000, endedAtMs: 3_000, wordsAtMs: null });
    expect(after.silence.prompts).toBe(0);
    expect(emitted).toEqual([
      { type: 'notice', notice: { type: 'user-turn', text: 'Is it open?' } },
      { type: 'model-told', role: 'user', text: 'Is it open?' },
    ]);
  });

  it('interrupts the agent, and counts as no speech over it', () => {
    const { emit } = effects();
    const after = textTyped(speakingAgent('We close at nine.'), 'Stop', 5_000, emit);
    expect([after.agentTurn.kind, after.latency.interruptionsMs]).toEqual(['silent', []]);
  });

  it('waits for the end of a message that must not be interrupted', () => {
    const agentTurn = thinkingTurn(0, { llm: null, interruptible: false, speeches: [heardSpeech('Goodbye.')] });
    const after = textTyped(speakingAgent('Goodbye.', { agentTurn }), 'Wait', 5_000, effects().emit);
    expect(after.agentTurn).toBe(agentTurn);
    expect(after.reply.due).not.toBeNull();
  });

  it('is dropped before the answer', () => {
    const { emit, emitted } = effects();
    const ringing = openConversation({ phase: { kind: 'waiting' } });
    expect([textTyped(ringing, 'Hello', 0, emit), emitted]).toEqual([ringing, []]);
  });
});

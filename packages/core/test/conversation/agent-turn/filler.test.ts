import { describe, expect, it } from 'vitest';
import { fillerAtMs, sayFiller } from '../../../src/conversation/agent-turn/filler.ts';
import { newSpeech } from '../../../src/conversation/agent-turn/speech-text.ts';
import type { ActiveAgentTurn } from '../../../src/conversation/state/agent/agent-turn.ts';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import {
  callerTurn,
  effects,
  heardSpeech,
  openConversation,
  replied,
  said,
  speechOf,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const speech = speechOf({ filler: { phrases: ['One moment.', 'Almost there.'], delay_ms: 1_000 } });
const reading = { language: 'en', normalize: false, pronunciations: [] };

/** A caller who waits for the reply of the model since 2,000 ms. */
function waiting(
  turn: Partial<ActiveAgentTurn> = {},
  changes: Partial<ConversationState> = {},
  config: Partial<ConversationConfig> = {},
): ConversationState {
  const entries = [said('Is it open?'), replied('', { heard: '' })];
  const agentTurn = thinkingTurn(1, { waitingSinceMs: 2_000, ...turn });
  return openConversation({ entries, agentTurn, ...changes }, { speech, ...config });
}

const running = enter(emptyLedger, { id: 'call-1', name: 'lookup', arguments: '{}' });
const finished = heardSpeech('Hello.', { finished: true });

describe('fillerAtMs', () => {
  it.each<[string, ConversationState]>([
    ['a reply', waiting()],
    [
      'a reply that is due',
      waiting({ llm: null }, { reply: { due: { answers: null, toolSteps: 1 }, preemption: null } }),
    ],
    ['a tool', waiting({ llm: null }, { tools: running })],
    ['a reply whose first words are over', waiting({ speeches: [finished] })],
    ['a reply whose text has no clause yet', waiting({ speeches: [newSpeech(2, 1, { reading })] })],
    ['the second filler', waiting({ fillers: 1 })],
  ])('is the delay after the caller began to wait for %s', (_what, state) => {
    expect(fillerAtMs(state)).toBe(3_000);
  });

  it.each<[string, ConversationState]>([
    ['all phrases were said', waiting({ fillers: 2 })],
    ['the agent is being heard', waiting({ speeches: [heardSpeech('Hello.')] })],
    ['audio of the agent is on its way', waiting({ speeches: [heardSpeech('Hello.', { started: false })] })],
    ['nothing is awaited', waiting({ llm: null })],
    ['there is no entry to say it in', waiting({ entry: null })],
    ['the agent is silent', waiting({}, { agentTurn: { kind: 'silent' } })],
    ['the caller speaks', waiting({}, { userTurn: callerTurn() })],
    ['a speech-to-speech model chooses its own fillers', waiting({}, {}, { isRealtime: true })],
    ['the settings have no phrases', waiting({}, {}, { speech: speechOf({}) })],
  ])('is null when %s', (_when, state) => {
    expect(fillerAtMs(state)).toBeNull();
  });
});

describe('sayFiller', () => {
  it('says the next phrase within the reply that is awaited', () => {
    const { emit, emitted } = effects();
    const after = sayFiller(sayFiller(waiting(), 3_000, emit), 4_500, emit);
    expect(emitted.flatMap((effect) => (effect.type === 'speak' ? [effect.text] : []))).toEqual([
      'One moment.',
      'Almost there.',
    ]);
    expect(after.entries[1]).toMatchObject({ role: 'assistant', full: 'One moment. Almost there. ' });
    expect(after.agentTurn).toMatchObject({ fillers: 2 });
    expect(fillerAtMs(after)).toBeNull();
  });

  it('marks the phrase as a fixed text, whose audio other calls can reuse', () => {
    const { emit, emitted } = effects();
    sayFiller(waiting(), 3_000, emit);
    expect(emitted[0]).toMatchObject({ type: 'open-utterance', fixed: true });
  });

  it('says nothing after the last phrase, or without a turn of the agent', () => {
    const { emit, emitted } = effects();
    for (const state of [waiting({ fillers: 2 }), openConversation({}, { speech })]) {
      expect(sayFiller(state, 3_000, emit)).toBe(state);
    }
    expect(emitted).toEqual([]);
  });
});

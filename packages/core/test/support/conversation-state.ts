import type { ActiveAgentTurn } from '../../src/conversation/state/agent/agent-turn.ts';
import type { ConversationConfig } from '../../src/conversation/state/config.ts';
import { type ConversationState, initialState } from '../../src/conversation/state/conversation-state.ts';
import type { Effect, Emit } from '../../src/conversation/state/effects.ts';
import type { AgentEntry, TranscriptEntry } from '../../src/conversation/state/transcript.ts';
import { defaultTurnPolicy } from '../../src/conversation/turns/default-turn-policy.ts';
import { defaultContextSettings } from '../../src/domain/agents/context-settings.ts';
import { defaultSpeechConfig } from '../../src/domain/agents/speech/speech-config.ts';

const config: ConversationConfig = {
  firstMessage: null,
  systemPrompt: [{ role: 'system', content: 'Be brief.' }],
  tools: [],
  context: defaultContextSettings,
  speech: defaultSpeechConfig,
  turnPolicy: defaultTurnPolicy,
  reading: { language: 'en', normalize: false, pronunciations: [] },
  turnModel: null,
  language: 'en',
  languages: [],
  judgesTurns: false,
  isRealtime: false,
  greetsWhenHeard: false,
  canTransfer: true,
  canPressKeys: true,
  answering: null,
  maxDurationMs: 600_000,
  farewell: 'Goodbye.',
  maxToolSteps: 5,
};

/** Returns the state of an open conversation in which neither side is active. */
export function openConversation(
  changes: Partial<ConversationState> = {},
  settings: Partial<ConversationConfig> = {},
): ConversationState {
  return { ...initialState({ ...config, ...settings }), phase: { kind: 'open' }, ...changes };
}

/** Returns the turn of an agent whose reply, in an entry of the transcript, has the generation 1. */
export function thinkingTurn(entry: number, changes: Partial<ActiveAgentTurn> = {}): ActiveAgentTurn {
  return {
    kind: 'active',
    interruptible: true,
    llm: { generation: 1, retried: false, entry, gaveText: false },
    entry,
    toolSteps: 0,
    speeches: [],
    answers: null,
    firstTokenAtMs: null,
    measured: false,
    paused: null,
    waitingSinceMs: 0,
    fillers: 0,
    held: [],
    ...changes,
  };
}

/** Returns an entry of the caller. */
export function said(text: string): TranscriptEntry {
  return { role: 'user', text };
}

/** Returns an entry of the agent that was heard as a whole. */
export function replied(text: string, changes: Partial<AgentEntry> = {}): AgentEntry {
  return { role: 'assistant', full: text, heard: text, interrupted: false, toolCalls: [], ...changes };
}

/** Collects the effects of a step. */
export function effects(): { readonly emit: Emit; readonly emitted: Effect[] } {
  const emitted: Effect[] = [];
  return { emitted, emit: (effect) => void emitted.push(effect) };
}

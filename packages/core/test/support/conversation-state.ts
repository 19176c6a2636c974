import { newSpeech } from '../../src/conversation/agent-turn/speech-text.ts';
import type { ActiveAgentTurn, Speech } from '../../src/conversation/state/agent/agent-turn.ts';
import { idleUserTurn, type UserTurn } from '../../src/conversation/state/caller/user-turn.ts';
import type { ConversationConfig } from '../../src/conversation/state/config.ts';
import { type ConversationState, initialState } from '../../src/conversation/state/conversation-state.ts';
import type { Effect, Emit } from '../../src/conversation/state/effects.ts';
import type { AgentEntry, TranscriptEntry } from '../../src/conversation/state/transcript.ts';
import { defaultTurnPolicy } from '../../src/conversation/turns/default-turn-policy.ts';
import { defaultContextSettings } from '../../src/domain/agents/context-settings.ts';
import {
  defaultSpeechConfig,
  type SpeechConfig,
  speechConfigSchema,
} from '../../src/domain/agents/speech/speech-config.ts';
import type { SpeechConfigInput } from './steady-speech.ts';

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

/** Returns an utterance that the caller hears since 4,000 ms, with 100 ms of audio for each character. */
export function heardSpeech(text: string, changes: Partial<Speech> = {}): Speech {
  return {
    ...newSpeech(1, 0, { reading: config.reading }),
    segments: [{ written: text, spoken: text }],
    pushed: text,
    opened: true,
    textDone: true,
    audioDone: true,
    firstPushAtMs: 3_800,
    firstAudioAtMs: 3_900,
    receivedMs: 100 * text.length,
    started: true,
    startedAtMs: 4_000,
    ...changes,
  };
}

/** Returns a conversation whose caller hears an utterance of the agent, the only entry of the transcript. */
export function speakingAgent(
  text: string,
  changes: Partial<ConversationState> = {},
  settings: Partial<ConversationConfig> = {},
): ConversationState {
  const speaking = {
    entries: [replied(text, { heard: '' })],
    agentTurn: thinkingTurn(0, { llm: null, speeches: [heardSpeech(text)] }),
    lastId: 1,
  };
  return openConversation({ ...speaking, ...changes }, settings);
}

/** Returns the turn of a caller who has been speaking since 5,000 ms. */
export function callerTurn(changes: Partial<UserTurn> = {}): UserTurn {
  const startedAtMs = 5_000;
  return {
    ...idleUserTurn,
    kind: 'speaking',
    voiced: true,
    startedAtMs,
    voicedSinceMs: startedAtMs,
    lastSpeechAtMs: startedAtMs,
    ...changes,
  };
}

/** Returns settings of speech, as an agent writes them. */
export function speechOf(written: SpeechConfigInput): SpeechConfig {
  return speechConfigSchema.parse(written);
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

/** A transfer that has been asked for and has not begun. */
export const plannedTransfer: ConversationState['transfer'] = {
  active: {
    id: 2,
    destination: '+31205550100',
    mode: 'blind',
    keysOnAnswer: null,
    callId: null,
    summary: null,
    briefing: null,
    silentAtMs: null,
    startedAtMs: null,
  },
  completedTo: null,
};

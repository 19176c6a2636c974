import type { ToolCallRequest } from '../../ports/providers/language-model.ts';
import { fitWindow, requestMessages } from '../context/window.ts';
import type { ActiveAgentTurn, Speech, TurnEnd } from '../state/agent/agent-turn.ts';
import type { Preemption } from '../state/agent/reply.ts';
import { onlyPressedKeys } from '../state/caller/pressed-keys.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import type { AgentEntry } from '../state/transcript.ts';
import { floorOf } from '../turns/floor.ts';
import { addText, endText, newSpeech } from './speech-text.ts';

// Reducer functions for the agent's turn, first part: requests to the model and their results.

const emptyEntry: AgentEntry = { role: 'assistant', full: '', heard: '', interrupted: false, toolCalls: [] };

const emptyTurn: Omit<ActiveAgentTurn, 'interruptible'> = {
  kind: 'active',
  llm: null,
  entry: null,
  toolSteps: 0,
  speeches: [],
  answers: null,
  firstTokenAtMs: null,
  measured: false,
  paused: null,
  waitingSinceMs: 0,
  fillers: 0,
  held: [],
};

export function requestReply(state: ConversationState, answers: TurnEnd | null, toolSteps = 0): ConversationState {
  return { ...state, reply: { ...state.reply, due: { answers, toolSteps } } };
}

/** Starts the due reply as soon as the floor allows it. */
export function replyWhenFree(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const {
    reply: { due: replyDue },
    agentTurn,
  } = state;
  if (replyDue === null || !floorOf(state).canReply) return state;
  if (agentTurn.kind === 'silent') {
    const { answers, toolSteps } = replyDue;
    const turn = { ...emptyTurn, interruptible: true, answers, toolSteps, waitingSinceMs: atMs };
    return askModel({ ...state, reply: { ...state.reply, due: null } }, turn, false, emit);
  }
  // The model continues with the tools' results while its earlier words still play.
  const continues = agentTurn.kind === 'active' && agentTurn.llm === null && replyDue.toolSteps > 0;
  if (!continues) return state;
  return askModel(
    { ...state, reply: { ...state.reply, due: null } },
    { ...agentTurn, toolSteps: replyDue.toolSteps },
    false,
    emit,
  );
}

function askModel(state: ConversationState, turn: ActiveAgentTurn, retried: boolean, emit: Emit): ConversationState {
  const prepared = retried || turn.toolSteps > 0 ? null : fittingPreemption(state);
  const generation = prepared?.generation ?? state.lastId + 1;
  const fitting = prepared === null ? fitWindow(state, turn.speeches) : state;
  if (prepared === null) {
    const messages = requestMessages(fitting, turn.speeches);
    emit({ type: 'start-llm', generation, messages, withTools: mayUseTools(state, turn) });
  }
  const entry = state.entries.length;
  const llm = { generation, retried, entry, gaveText: false };
  const lastId = Math.max(state.lastId, generation);
  return { ...fitting, lastId, entries: [...state.entries, emptyEntry], agentTurn: { ...turn, llm, entry } };
}

/** Returns the reply prepared for exactly this conversation, if there is one. */
function fittingPreemption({ reply: { preemption }, entries, config }: ConversationState): Preemption | null {
  const last = entries.at(-1);
  if (preemption === null || last?.role !== 'user' || last.text !== preemption.text) return null;
  const isSame = entries.length === preemption.entries + 1 && config.systemPrompt === preemption.systemPrompt;
  return isSame ? preemption : null;
}

/**
 * Returns true if the model may call tools in the current request of a turn. The number of requests with tool results
 * is limited, so that a model that never stops calling tools cannot block the caller.
 */
export function mayUseTools(state: ConversationState, turn: { readonly toolSteps: number }): boolean {
  return turn.toolSteps < state.config.maxToolSteps;
}

/** Speaks a text: after the other speech of the active agent turn, or as a new turn if none is active. */
export function say(
  state: ConversationState,
  text: string,
  options: { interruptible: boolean; atMs: number; fixed?: boolean },
  emit: Emit,
): ConversationState {
  const turn = state.agentTurn.kind === 'active' ? state.agentTurn : { ...emptyTurn, interruptible: true };
  const utterance = state.lastId + 1;
  const { fixed = false, atMs } = options;
  const speech = addText(
    newSpeech(utterance, state.entries.length, { reading: state.config.reading, fixed }),
    text,
    atMs,
    emit,
  );
  const speeches = [...turn.speeches, endText(speech, atMs, emit)];
  return {
    ...state,
    lastId: utterance,
    entries: [...state.entries, { ...emptyEntry, full: text }],
    agentTurn: { ...turn, interruptible: turn.interruptible && options.interruptible, speeches },
  };
}

/** Speaks the first message, if there is one; otherwise waits for the caller. */
export function sayFirstMessage(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const { firstMessage, speech } = state.config;
  if (firstMessage === null || firstMessage.trim() === '') return state;
  return say(state, firstMessage, { interruptible: speech.first_message_interruptible, atMs, fixed: true }, emit);
}

/** Adds context for the model. */
export function addContextMessage(
  state: ConversationState,
  { text, wantsReply }: { text: string; wantsReply: boolean },
  emit: Emit,
): ConversationState {
  const told: ConversationState = { ...state, entries: [...state.entries, { role: 'system', text }] };
  emit({ type: 'model-told', role: 'system', text });
  return wantsReply ? requestReply(told, null) : told;
}

/** Returns the turn of a request to the model; null for a cancelled request. */
function turnOf(
  state: ConversationState,
  generation: number,
): (ActiveAgentTurn & { llm: NonNullable<ActiveAgentTurn['llm']> }) | null {
  const { agentTurn } = state;
  if (agentTurn.kind !== 'active' || agentTurn.llm?.generation !== generation) return null;
  return { ...agentTurn, llm: agentTurn.llm };
}

export function modelText(
  state: ConversationState,
  event: { generation: number; text: string; atMs: number },
  emit: Emit,
): ConversationState {
  const turn = turnOf(state, event.generation);
  if (turn === null) return state;
  const open = turn.speeches.find((speech) => speech.entry === turn.llm.entry && !speech.textDone);
  const voiceOf = state.config.isRealtime ? event.generation : null;
  const speech = open ?? newSpeech(state.lastId + 1, turn.llm.entry, { reading: state.config.reading, voiceOf });
  const spoken = addText(speech, event.text, event.atMs, emit);
  const speeches = open === undefined ? [...turn.speeches, spoken] : replaceSpeech(turn.speeches, spoken);
  const noted = changeEntry(state, turn.llm.entry, (entry) => ({ ...entry, full: entry.full + event.text }));
  return {
    ...noted,
    lastId: Math.max(state.lastId, spoken.utterance),
    agentTurn: {
      ...turn,
      llm: { ...turn.llm, gaveText: turn.llm.gaveText || voiceOf !== null || event.text.trim() !== '' },
      speeches,
      firstTokenAtMs: turn.firstTokenAtMs ?? event.atMs,
    },
  };
}

/** Speaks a fixed text as part of the awaited reply, before the model's output. */
export function sayWithin(state: ConversationState, text: string, atMs: number, emit: Emit): ConversationState {
  const { agentTurn } = state;
  if (agentTurn.kind !== 'active' || agentTurn.entry === null) return state;
  const utterance = state.lastId + 1;
  const speech = endText(
    addText(newSpeech(utterance, agentTurn.entry, { reading: state.config.reading, fixed: true }), text, atMs, emit),
    atMs,
    emit,
  );
  const noted = changeEntry(state, agentTurn.entry, (entry) => ({ ...entry, full: `${entry.full}${text} ` }));
  return { ...noted, lastId: utterance, agentTurn: { ...agentTurn, speeches: [...agentTurn.speeches, speech] } };
}

/**
 * Adds a tool call to the transcript entry of its reply. Returns the call as stored: an id that an earlier reply used
 * is replaced by a new one. Returns null for a duplicate within the reply, and for a cancelled reply.
 */
export function modelToolCall(
  state: ConversationState,
  event: { generation: number; call: ToolCallRequest },
): { state: ConversationState; call: ToolCallRequest } | null {
  const turn = turnOf(state, event.generation);
  if (turn === null) return null;
  const { toolCalls } = agentEntry(state, turn.llm.entry);
  const renamed = { ...event.call, id: `${event.call.id}-${event.generation}` };
  const repeats = toolCalls.some(({ id }) => id === event.call.id || id === renamed.id);
  if (repeats) return null;
  const call = state.tools.has(event.call.id) ? renamed : event.call;
  const noted = changeEntry(state, turn.llm.entry, (entry) => ({ ...entry, toolCalls: [...entry.toolCalls, call] }));
  return { state: noted, call };
}

/**
 * Ends a complete reply. A reply without words and tool calls is requested once more, because the caller is waiting.
 * After tool calls, the next reply is requested with their results, unless all of them pressed keys or the turn may
 * call no more tools.
 */
export function modelDone(
  state: ConversationState,
  event: { generation: number; atMs: number },
  emit: Emit,
): ConversationState {
  const turn = turnOf(state, event.generation);
  if (turn === null) return state;
  const { toolCalls } = agentEntry(state, turn.llm.entry);
  if (!turn.llm.gaveText && toolCalls.length === 0 && !turn.llm.retried && state.phase.kind === 'open') {
    return askModel(state, turn, true, emit);
  }
  const next: ConversationState = { ...state, agentTurn: { ...endReply(turn, event.atMs, emit), llm: null } };
  const isOver = onlyPressedKeys(state, toolCalls) || !mayUseTools(state, turn);
  return isOver ? next : requestReply(next, turn.answers, turn.toolSteps + 1);
}

function endReply(turn: ActiveAgentTurn, atMs: number, emit: Emit): ActiveAgentTurn {
  const speeches = turn.speeches.map((speech) => (speech.entry === turn.entry ? endText(speech, atMs, emit) : speech));
  return { ...turn, speeches };
}

/**
 * Handles a failed request: repeats it once, after its output so far was spoken; if tools were already called, the turn
 * continues from their results. `fatal` is true if the call has to end: the failure is not retryable, or the request
 * was a repetition.
 */
export function modelFailed(
  state: ConversationState,
  event: { generation: number; retryable: boolean; atMs: number },
  emit: Emit,
): { state: ConversationState; fatal: boolean } {
  const turn = turnOf(state, event.generation);
  if (turn === null) return { state, fatal: false };
  if (!event.retryable || turn.llm.retried) return { state, fatal: true };
  if (agentEntry(state, turn.llm.entry).toolCalls.length > 0) {
    return { state: modelDone(state, event, emit), fatal: false };
  }
  return { state: askModel(state, endReply(turn, event.atMs, emit), true, emit), fatal: false };
}

export function agentEntry(state: ConversationState, index: number): AgentEntry {
  const entry = state.entries[index];
  return entry?.role === 'assistant' ? entry : emptyEntry;
}

export function changeEntry(
  state: ConversationState,
  index: number,
  change: (entry: AgentEntry) => AgentEntry,
): ConversationState {
  const entries = state.entries.map((entry, at) =>
    at === index && entry.role === 'assistant' ? change(entry) : entry,
  );
  return { ...state, entries };
}

export function replaceSpeech(speeches: readonly Speech[], changed: Speech): Speech[] {
  return speeches.map((speech) => (speech.utterance === changed.utterance ? changed : speech));
}

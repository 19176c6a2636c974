import { fitWindow, requestMessages } from '../context/window.ts';
import type { Preemption, PreparedPart } from '../state/agent/reply.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { floorOf } from '../turns/floor.ts';
import { mayBeOver } from '../turns/turn-rules.ts';
import { addText, endText, newSpeech } from './speech-text.ts';

/**
 * Preemptive replies: during a pause, the model starts on words that have not changed, and its output is held. If the
 * turn ends with these words, the reply is used; if they change, it is dropped.
 */

/** Returns when to prepare a reply to the words so far; null if none is to be prepared. */
export function preemptAtMs(state: ConversationState): number | null {
  const { enabled, stable_ms: stableMs, max_attempts: maxAttempts } = state.config.speech.preemptive;
  const { userTurn } = state;
  const pausedAtMs = userTurn.kind === 'ending' ? userTurn.lastSpeechAtMs : userTurn.pausedAtMs;
  if (
    !enabled ||
    state.config.isRealtime ||
    userTurn.kind === 'idle' ||
    pausedAtMs === null ||
    userTurn.preemptions >= maxAttempts
  )
    return null;
  const { text } = userTurn;
  if (text === '' || state.reply.preemption?.text === text || !floorOf(state).canPrepareReply || !mayBeOver(state))
    return null;
  return Math.max(pausedAtMs, userTurn.wordsAtMs) + stableMs;
}

/** Starts the model on the words so far. */
export function prepareReply(state: ConversationState, emit: Emit): ConversationState {
  const { text } = state.userTurn;
  const { enabled, max_attempts: maxAttempts } = state.config.speech.preemptive;
  if (!enabled || text === '' || state.reply.preemption?.text === text || !floorOf(state).canPrepareReply) return state;
  if (state.userTurn.preemptions >= maxAttempts) return state;
  const dropped = dropPreemption(state, emit);
  const generation = state.lastId + 1;
  // The turn may continue, so the window truncated for this request is not stored.
  const heard = fitWindow({ ...dropped, entries: [...state.entries, { role: 'user', text }] }, []);
  emit({ type: 'start-llm', generation, messages: requestMessages(heard, []), withTools: true });
  return {
    ...dropped,
    lastId: generation,
    latency: { ...state.latency, prepared: { ...state.latency.prepared, made: state.latency.prepared.made + 1 } },
    userTurn: { ...state.userTurn, preemptions: state.userTurn.preemptions + 1 },
    reply: {
      ...dropped.reply,
      preemption: {
        generation,
        text,
        entries: state.entries.length,
        systemPrompt: state.config.systemPrompt,
        parts: [],
        done: false,
        isSpeechPrepared: false,
      },
    },
  };
}

/** Drops a prepared reply if the caller's words have changed. */
export function keepFitting(state: ConversationState, emit: Emit): ConversationState {
  const {
    reply: { preemption },
  } = state;
  return preemption === null || preemption.text === state.userTurn.text ? state : dropPreemption(state, emit);
}

export function dropPreemption(state: ConversationState, emit: Emit): ConversationState {
  if (state.reply.preemption === null) return state;
  emit({ type: 'cancel-llm', generation: state.reply.preemption.generation });
  if (state.reply.preemption.isSpeechPrepared) emit({ type: 'drop-speech' });
  return { ...state, reply: { ...state.reply, preemption: null } };
}

/**
 * Holds the model's output for a prepared reply, and has its first clause synthesized. `part` is null at the end of the
 * output.
 */
export function prepared(
  state: ConversationState,
  preemption: Preemption,
  part: PreparedPart | null,
  emit: Emit,
): ConversationState {
  const parts = part === null ? preemption.parts : [...preemption.parts, part];
  const done = part === null;
  const text =
    preemption.isSpeechPrepared || !state.config.speech.preemptive.speech ? null : firstClause(state, parts, done);
  if (text !== null) emit({ type: 'prepare-speech', text });
  const isSpeechPrepared = preemption.isSpeechPrepared || text !== null;
  return { ...state, reply: { ...state.reply, preemption: { ...preemption, parts, done, isSpeechPrepared } } };
}

/** Returns the first text that the synthesizer gets if the reply is used; null until the first clause is complete. */
function firstClause({ config }: ConversationState, parts: readonly PreparedPart[], done: boolean): string | null {
  const pieces: string[] = [];
  const take: Emit = (effect) => {
    if (effect.type === 'speak') pieces.push(effect.text);
  };
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const speech = texts.reduce(
    (each, text) => addText(each, text, 0, take),
    newSpeech(0, 0, { reading: config.reading }),
  );
  if (done) endText(speech, 0, take);
  return pieces[0] ?? null;
}

import { sayFiller } from './agent-turn/filler.ts';
import {
  adjustLevel,
  audioArrived,
  audioComplete,
  changeSpeech,
  cutAgentOff,
  playoutCleared,
  playoutFinished,
  playoutStarted,
  resumeAgent,
  settleTurn,
  synthesisFailed,
  yieldFloor,
} from './agent-turn/playout.ts';
import { dropPreemption, prepared, prepareReply } from './agent-turn/preemption.ts';
import { modelDone, modelFailed, modelText, replyWhenFree, say, sayFirstMessage } from './agent-turn/reply.ts';
import { giveUpSummary, summarizeWhenIdle, summaryTold } from './context/summary.ts';
import { controlled } from './control.ts';
import { beginClosing, noteSilence } from './ending/begin-closing.ts';
import { budgetChanged } from './ending/budget.ts';
import { close } from './ending/close.ts';
import { sayFarewell, sentenceOver } from './ending/farewell.ts';
import { sendKeysWhenSilent } from './model/keys-tool.ts';
import { toolCalled } from './model/tool-calls.ts';
import { usePrepared } from './model/use-prepared.ts';
import { beginAnswering, greetingHeard } from './opening/answering.ts';
import type { ConversationState } from './state/conversation-state.ts';
import type { Effect, Emit } from './state/effects.ts';
import type { ConversationEvent, ModelEvent, TimerName } from './state/events.ts';
import { timersOf } from './timers.ts';
import { toolSettled } from './tools/settle-tool.ts';
import { toolSays } from './tools/tool-says.ts';
import { giveUpTransfer } from './transfer/give-up.ts';
import { endTakeOver } from './transfer/take-over.ts';
import { adjustHold, briefingTold, noteDrained, transferDue, transferSettled } from './transfer/transfer.ts';
import { floorOf } from './turns/floor.ts';
import { isBackchannelOver } from './turns/turn-rules.ts';
import { noteMute, unheard } from './user-turn/caller-mute.ts';
import { languageHeard } from './user-turn/detected-language.ts';
import { keyPressed, keysComplete } from './user-turn/dtmf-input.ts';
import { noWords } from './user-turn/no-words.ts';
import { askTurnModel, keepPrediction, turnPredicted } from './user-turn/turn-prediction.ts';
import { textTyped } from './user-turn/typed-text.ts';
import {
  dismissed,
  endTurn,
  endTurnNow,
  partFinalized,
  speechEnded,
  speechPaused,
  speechResumed,
  speechStarted,
  suspected,
  turnJudged,
  turnTranscribed,
  wordsHeard,
} from './user-turn/user-turn.ts';

/**
 * The conversation as a pure function: no clock, no I/O, no await. The same events give the same effects. Timers due at
 * the event's time fire within the step, so that no decision is late because a timer's callback is.
 */
export function step(
  state: ConversationState,
  event: ConversationEvent,
): { state: ConversationState; effects: Effect[] } {
  const effects: Effect[] = [];
  const emit: Emit = (effect) => effects.push(effect);
  let next = settle(advanced(state, event, emit), event.atMs, emit);
  for (let due = dueTimer(next, event.atMs); due !== null; due = dueTimer(next, event.atMs)) {
    next = settle(advanced(next, { type: 'timer', name: due, atMs: event.atMs }, emit), event.atMs, emit);
  }
  return { state: summarizeWhenIdle(state, next, event.atMs, emit), effects };
}

function dueTimer(state: ConversationState, atMs: number): TimerName | null {
  return timersOf(state).find((timer) => timer.dueAtMs <= atMs)?.name ?? null;
}

/** Applies the consequences of a state, whatever led to it. */
function settle(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const decided = state.phase.kind === 'closing' ? giveUpTransfer(endTakeOver(state, emit), emit) : state;
  const goesOn = !floorOf(decided).canInterrupt || isBackchannelOver(decided);
  const going = goesOn ? resumeAgent(decided, atMs, emit) : decided;
  const spoken = releaseHeld(going, atMs, emit);
  const heard = noteMute(settleTurn(spoken), atMs, emit);
  // A prepared reply of only tool calls completes within this step, and no later event would end its turn.
  const prepared = settleTurn(usePrepared(replyWhenFree(heard, atMs, emit), atMs, emit));
  const replied = noteMute(sayFarewell(prepared, atMs, emit), atMs, emit);
  const quieted = noteDrained(noteSilence(keepPrediction(replied, emit), atMs), atMs);
  const next = adjustHold(sendKeysWhenSilent(adjustLevel(quieted, atMs, emit), emit), emit);
  const quiet = floorOf(next).isQuiet;
  if (quiet === (next.silence.sinceMs !== null)) return next;
  return { ...next, silence: { ...next.silence, sinceMs: quiet ? atMs : null } };
}

/**
 * Handles an event, and passes it to answering-machine detection while that is running: the caller's actions are
 * evidence for it, too.
 */
function advanced(state: ConversationState, event: ConversationEvent, emit: Emit): ConversationState {
  return greetingHeard(handle(state, event, emit), event, emit);
}

function handle(state: ConversationState, event: ConversationEvent, emit: Emit): ConversationState {
  const { atMs } = event;
  // After the end only events about earlier work count: how far the agent was heard, and what the caller said.
  if (state.phase.kind === 'closed') {
    if (event.type === 'user-text') return turnTranscribed(state, event, emit);
    return event.type === 'playout-cleared' ? playoutCleared(state, event.cut, emit) : state;
  }
  const deaf = state.caller.mute === null ? null : unheard(state, event);
  if (deaf !== null) return deaf;
  switch (event.type) {
    case 'answered':
      return opened(state, atMs, emit);
    case 'media-started':
      return greet(state, atMs, emit);
    case 'speech-suspected':
      return suspected(state);
    case 'speech-dismissed':
      return dismissed(state);
    case 'speech-started':
      return speechStarted(state, event.onsetAtMs, atMs, emit);
    case 'speech-paused':
      return speechPaused(state, event.lastSpeechAtMs, atMs);
    case 'speech-resumed':
      return speechResumed(state, atMs);
    case 'speech-ended':
      return speechEnded(state, event, emit);
    case 'dtmf':
      return keyPressed(state, event.digit, atMs, emit);
    case 'text-typed':
      return textTyped(state, event.text, atMs, emit);
    case 'beep':
      return state;
    case 'stt-partial':
      return wordsHeard(state, { ...event, final: false }, emit);
    case 'stt-final':
      return wordsHeard(languageHeard(state, event, emit), { ...event, final: true }, emit);
    case 'stt-finalized':
      return partFinalized(state, event);
    case 'turn-judged':
      return turnJudged(state, event, emit);
    case 'turn-predicted':
      return turnPredicted(state, event);
    case 'user-text':
      return turnTranscribed(state, event, emit);
    case 'model-lost':
      return state.phase.kind === 'closing'
        ? close(state, state.phase.ending, emit)
        : fail(state, 'llm_error', event.message, emit);
    case 'stt-failed':
      // No listening is needed for a goodbye.
      return state.phase.kind === 'closing' ? state : fail(state, 'stt_error', event.message, emit);
    case 'llm-text':
    case 'llm-tool-call':
    case 'llm-done':
    case 'llm-failed':
      return isHeld(state, event) ? hold(state, event) : modelTold(state, event, emit);
    case 'tts-audio':
      return audioArrived(state, event);
    case 'tts-words':
      return changeSpeech(state, event.utterance, (each) => ({ ...each, words: [...each.words, ...event.words] }));
    case 'tts-done':
      return audioComplete(state, event.utterance, emit);
    case 'tts-failed': {
      const { state: next, fatal } = synthesisFailed(state, event, emit);
      return fatal ? fail(next, 'tts_error', event.message, emit) : next;
    }
    case 'playout-started':
      return playoutStarted(state, event.utterance, atMs, emit);
    case 'playout-finished':
      return playoutFinished(state, event.utterance, atMs, emit);
    case 'playout-cleared':
      return playoutCleared(state, event.cut, emit);
    case 'tool-settled':
      return toolSettled(state, event.callId, event.outcome, emit);
    case 'tool-says':
      return toolSays(state, event, emit);
    case 'transfer-settled': {
      const { state: next, ending } = transferSettled(state, event, emit);
      return ending === null ? next : close(next, ending, emit);
    }
    case 'media-lost':
      return fail(
        state,
        'transport_error',
        `No audio from the caller for ${Math.round(event.silentMs / 1_000)} s.`,
        emit,
      );
    case 'media-failed':
      return close(state, { reason: 'internal_error', error: event.message }, emit);
    case 'held':
    case 'resumed':
      return { ...state, caller: { ...state.caller, isOnHold: event.type === 'held' } };
    case 'say':
    case 'context-injected':
    case 'mute-changed':
    case 'taken-over':
    case 'prompt-changed':
    case 'transfer-asked':
      return controlled(state, event, emit);
    case 'budget':
      return budgetChanged(state, event, emit);
    case 'end':
      return end(state, event, emit);
    case 'leg-ended':
      return close(state, { reason: event.reason, error: event.error }, emit);
    case 'timer':
      return timerFired(state, event.name, atMs, emit);
  }
}

/**
 * Returns true if a model event has to wait: during a pause the model may go on speaking, but its tool calls, and all
 * events after the first one, are held back.
 */
function isHeld({ agentTurn }: ConversationState, event: ModelEvent): boolean {
  if (agentTurn.kind !== 'active' || agentTurn.paused === null || agentTurn.llm?.generation !== event.generation)
    return false;
  return event.type === 'llm-tool-call' || agentTurn.held.length > 0;
}

function hold(state: ConversationState, event: ModelEvent): ConversationState {
  const { agentTurn } = state;
  return agentTurn.kind === 'active'
    ? { ...state, agentTurn: { ...agentTurn, held: [...agentTurn.held, event] } }
    : state;
}

/** Handles the model events that were held back, once the agent is not paused. */
function releaseHeld(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const { agentTurn } = state;
  if (agentTurn.kind !== 'active' || agentTurn.paused !== null || agentTurn.held.length === 0) return state;
  const free: ConversationState = { ...state, agentTurn: { ...agentTurn, held: [] } };
  return agentTurn.held.reduce((each, event) => modelTold(each, { ...event, atMs }, emit), free);
}

function modelTold(state: ConversationState, event: ModelEvent, emit: Emit): ConversationState {
  const {
    reply: { preemption },
    context: window,
    transfer: { active: transfer },
  } = state;
  if (window.summarizing?.generation === event.generation) return summaryTold(state, event);
  if (transfer?.briefing?.generation === event.generation) return briefingTold(state, event);
  const isEarly = preemption?.generation === event.generation;
  switch (event.type) {
    case 'llm-text':
      return isEarly
        ? prepared(state, preemption, { type: 'text', text: event.text }, emit)
        : modelText(state, event, emit);
    case 'llm-tool-call':
      return isEarly
        ? prepared(state, preemption, { type: 'tool-call', call: event.call }, emit)
        : toolCalled(state, event, emit);
    case 'llm-done':
      return isEarly ? prepared(state, preemption, null, emit) : modelDone(state, event, emit);
    case 'llm-failed': {
      if (isEarly) return dropPreemption(state, emit);
      if (state.phase.kind === 'closing') return modelDone(state, event, emit);
      const { state: next, fatal } = modelFailed(state, event, emit);
      return fatal ? fail(next, 'llm_error', event.message, emit) : next;
    }
  }
}

/** Maximum delay of the first message for media of the far end, which may listen without sending anything. */
const firstMediaLimitMs = 500;

function opened(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const open: ConversationState = {
    ...state,
    phase: { kind: 'open' },
    opening: { ...state.opening, answeredAtMs: atMs },
  };
  const { answering, greetsWhenHeard } = state.config;
  if (answering !== null) return beginAnswering(open, answering.settings, atMs);
  if (greetsWhenHeard) return { ...open, opening: { ...open.opening, greetingDueAtMs: atMs + firstMediaLimitMs } };
  return sayFirstMessage(open, atMs, emit);
}

function greet(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  if (state.opening.greetingDueAtMs === null) return state;
  return sayFirstMessage({ ...state, opening: { ...state.opening, greetingDueAtMs: null } }, atMs, emit);
}

function fail(
  state: ConversationState,
  reason: 'stt_error' | 'llm_error' | 'tts_error' | 'transport_error',
  error: string,
  emit: Emit,
): ConversationState {
  return close(state, { reason, error }, emit);
}

function end(
  state: ConversationState,
  event: Extract<ConversationEvent, { type: 'end' }>,
  emit: Emit,
): ConversationState {
  const ending = { reason: event.reason, error: null };
  if (event.message === null || state.phase.kind !== 'open') return close(state, ending, emit);
  return beginClosing(
    say(
      cutAgentOff(endTakeOver(state, emit), null, emit),
      event.message,
      { interruptible: false, atMs: event.atMs },
      emit,
    ),
    ending,
    event.atMs,
  );
}

function timerFired(state: ConversationState, name: TimerName, atMs: number, emit: Emit): ConversationState {
  switch (name) {
    case 'end-of-turn':
      return endTurn(state, atMs, emit);
    case 'max-turn':
      return endTurnNow(state, atMs, emit);
    case 'greeting':
      return greet(state, atMs, emit);
    case 'no-words':
      return noWords(state, atMs, emit);
    case 'preempt':
      return prepareReply(state, emit);
    case 'turn-model':
      return askTurnModel(state, emit);
    case 'interrupt':
      return yieldFloor(state, atMs, emit);
    case 'resume':
      return resumeAgent(state, atMs, emit);
    case 'keys':
      return keysComplete(state, atMs, emit);
    case 'answering':
      return state;
    case 'filler':
      return sayFiller(state, atMs, emit);
    case 'transfer':
      return transferDue(state, atMs, emit);
    case 'summary':
      return giveUpSummary(state, emit);
    case 'silence':
      return silenceElapsed(state, atMs, emit);
    case 'max-duration':
      return close(state, { reason: 'max_duration', error: null }, emit);
    case 'sentence-end':
      return sentenceOver(state, atMs, emit);
    case 'hangup':
    case 'closing-limit':
      return state.phase.kind === 'closing' ? close(state, state.phase.ending, emit) : state;
  }
}

function silenceElapsed(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const prompt = state.config.speech.silence.prompts[state.silence.prompts];
  if (prompt === undefined) return close(state, { reason: 'silence_timeout', error: null }, emit);
  const prompted = { ...state, silence: { ...state.silence, prompts: state.silence.prompts + 1 } };
  return say(prompted, prompt, { interruptible: true, atMs, fixed: true }, emit);
}

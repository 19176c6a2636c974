import { type AmdEvent, type AmdSettings, type AmdVerdict, startAmd, stepAmd, verdictDueAtMs } from '@va/language';
import { addContextMessage, say, sayFirstMessage } from '../agent-turn/reply.ts';
import { beginClosing } from '../ending/begin-closing.ts';
import { close } from '../ending/close.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import type { ConversationEvent } from '../state/events.ts';
import type { Answering } from '../state/opening.ts';
import { endTurn } from '../user-turn/user-turn.ts';

/** Opening of outbound calls: answering-machine detection. */

/** Maximum wait for a beep after the last word of a voicemail greeting. */
const beepLimitMs = 3_000;

const notes = {
  screening:
    'A call screening service has answered for the person. Tell in one sentence who is calling and why, and then wait.',
  ivr: 'An automated menu has answered the call, and not a person.',
} as const;

export function beginAnswering(state: ConversationState, settings: AmdSettings, atMs: number): ConversationState {
  return {
    ...state,
    opening: {
      ...state.opening,
      answering: { judged: startAmd(settings, atMs), quietSinceMs: atMs, isGreetingDue: false },
    },
  };
}

/**
 * Returns when the detection decides without another event: it has waited long enough for a verdict, or for a beep.
 * Null if it has no such time limit at the moment.
 */
export function answeringAtMs({ opening: { answering } }: ConversationState): number | null {
  if (answering === null || answering.isGreetingDue) return null;
  if (answering.judged.verdict === null) return verdictDueAtMs(answering.judged);
  return answering.quietSinceMs === null ? null : answering.quietSinceMs + beepLimitMs;
}

/** Passes an event to the detection, and acts on its verdict or on the end of a voicemail greeting. */
export function greetingHeard(state: ConversationState, event: ConversationEvent, emit: Emit): ConversationState {
  const {
    opening: { answering },
  } = state;
  if (answering?.isGreetingDue) return greet(state, event.atMs, emit);
  const heard = answering === null ? null : toAmdEvent(event);
  if (answering === null || heard === null) return state;
  const before = answering.judged.verdict;
  const judged = stepAmd(answering.judged, heard);
  const quietSinceMs = quietSince(answering, heard);
  const next: ConversationState = {
    ...state,
    opening: { ...state.opening, answering: { ...answering, judged, quietSinceMs } },
  };
  if (judged.verdict === null) return next;
  if (before === null) return decided(next, judged.verdict, event.atMs, emit);
  const isLimit = heard.type === 'tick' && quietSinceMs !== null && event.atMs >= quietSinceMs + beepLimitMs;
  return isLimit || !judged.verdict.waitForBeep ? leaveMessage(next, event.atMs, emit) : next;
}

function quietSince({ quietSinceMs }: Answering, heard: AmdEvent): number | null {
  if (heard.type === 'speech-started') return null;
  return heard.type === 'speech-ended' ? heard.atMs : quietSinceMs;
}

function toAmdEvent(event: ConversationEvent): AmdEvent | null {
  switch (event.type) {
    case 'speech-started':
      return { type: 'speech-started', atMs: event.onsetAtMs };
    case 'speech-ended':
      return { type: 'speech-ended', atMs: event.lastSpeechAtMs };
    case 'stt-partial':
    case 'stt-final':
      return { type: 'words', text: event.text, final: event.type === 'stt-final', atMs: event.atMs };
    case 'beep':
      return { type: 'beep', atMs: event.atMs };
    case 'timer':
      return event.name === 'answering' ? { type: 'tick', atMs: event.atMs } : null;
    default:
      return null;
  }
}

function decided(state: ConversationState, verdict: AmdVerdict, atMs: number, emit: Emit): ConversationState {
  const { kind } = verdict;
  emit({ type: 'notice', notice: { type: 'answered-by', kind } });
  const known: ConversationState = { ...state, opening: { ...state.opening, answering: null } };
  switch (kind) {
    case 'human':
    case 'silence':
      return greet(state, atMs, emit);
    case 'screening':
    case 'ivr':
      return addContextMessage(known, { text: notes[kind], wantsReply: true }, emit);
    case 'voicemail':
      return verdict.waitForBeep && state.config.answering?.voicemailMessage != null
        ? state
        : leaveMessage(state, atMs, emit);
  }
}

/**
 * Says the first message to the person who answered, once the words of their "Hello?" are known. These precede the
 * message in the transcript, and the model does not reply to them. Without a first message they are a turn like any
 * other.
 */
function greet(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const {
    userTurn,
    opening: { answering },
  } = state;
  if (userTurn.kind === 'ending' && userTurn.awaited.length > 0 && answering !== null) {
    return { ...state, opening: { ...state.opening, answering: { ...answering, isGreetingDue: true } } };
  }
  const known: ConversationState = { ...state, opening: { ...state.opening, answering: null } };
  const answered: ConversationState = { ...known, userTurn: { ...userTurn, isAnswered: userTurn.kind !== 'idle' } };
  const heard = userTurn.kind === 'ending' ? endTurn(answered, atMs, emit) : answered;
  const greeted = sayFirstMessage(heard, atMs, emit);
  return greeted === heard ? known : { ...greeted, reply: { ...greeted.reply, due: null } };
}

function leaveMessage(state: ConversationState, atMs: number, emit: Emit): ConversationState {
  const ending = { reason: 'voicemail', error: null } as const;
  const message = state.config.answering?.voicemailMessage ?? null;
  const known: ConversationState = {
    ...state,
    opening: { ...state.opening, answering: null },
    reply: { ...state.reply, due: null },
  };
  if (message === null) return close(known, ending, emit);
  return beginClosing(say(known, message, { interruptible: false, atMs, fixed: true }, emit), ending, atMs);
}

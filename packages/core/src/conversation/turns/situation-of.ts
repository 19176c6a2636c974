import { type QuestionKind, questionKind } from '@va/language';
import { endProbability } from '../state/caller/turn-prediction.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { ofLastState } from '../state/of-last-state.ts';
import type { AgentEntry } from '../state/transcript.ts';
import type { AgentSituation, TurnSituation, UserSituation } from '../turn-policy/turn-situation.ts';
import { floorOf } from './floor.ts';

/** Returns the situation of a state. */
export const situationOf: (state: ConversationState) => TurnSituation = ofLastState(situation);

function situation(state: ConversationState): TurnSituation {
  const { config } = state;
  return {
    settings: config.speech,
    language: config.language,
    isRealtime: config.isRealtime,
    judgesTurns: config.judgesTurns,
    hasFirstMessage: (config.firstMessage ?? '').trim() !== '',
    user: userSituation(state),
    agent: agentSituation(state),
    floor: floorOf(state),
  };
}

function userSituation({ userTurn, prediction, caller }: ConversationState): UserSituation {
  return {
    kind: userTurn.kind,
    startedAtMs: userTurn.startedAtMs,
    voicedSinceMs: userTurn.voicedSinceMs,
    pausedAtMs: userTurn.pausedAtMs,
    lastSpeechAtMs: userTurn.lastSpeechAtMs,
    isVoiced: userTurn.voiced,
    text: userTurn.text,
    completeness: userTurn.completeness,
    isCompleteByWords: userTurn.isCompleteByWords,
    hasMarks: caller.hasMarks,
    isOpening: userTurn.isOpening,
    tail: userTurn.tail,
    isSuspected: caller.isSuspected,
    endProbability: endProbability(userTurn, prediction),
    awaitsWords: userTurn.awaited.length > 0,
    learnedPauseMs: caller.learnedPauseMs,
  };
}

function agentSituation(state: ConversationState): AgentSituation {
  const { agentTurn, playout, opening } = state;
  const active = agentTurn.kind === 'active' ? agentTurn : null;
  return {
    isActive: active !== null,
    isHeard: active?.speeches.some(({ started, finished }) => started && !finished) ?? false,
    isInterruptible: active?.interruptible ?? false,
    isPaused: active !== null && active.paused !== null,
    quietSinceMs: active?.paused?.quietSinceMs ?? null,
    asked: askedBy(state),
    firstSoundAtMs: playout.firstSoundAtMs,
    hasFinishedFirstTurn: opening.firstSpeech === 'over',
  };
}

/** Kinds of question by entry. An entry is replaced when it changes, so each one is analysed only once. */
const questions = new WeakMap<AgentEntry, QuestionKind | null>();

function askedBy({ entries, config }: ConversationState): QuestionKind | null {
  let at = entries.length - 1;
  while (entries[at]?.role === 'system') at -= 1;
  const said = entries[at];
  if (said?.role !== 'assistant') return null;
  const known = questions.get(said);
  if (known !== undefined) return known;
  const asked = questionKind(said.heard === '' ? said.full : said.heard, config.language);
  questions.set(said, asked);
  return asked;
}

import { fillerAtMs } from './agent-turn/filler.ts';
import { preemptAtMs } from './agent-turn/preemption.ts';
import { summaryLimitAtMs } from './context/summary.ts';
import { sentenceEndAtMs } from './ending/farewell.ts';
import { answeringAtMs } from './opening/answering.ts';
import type { ConversationState } from './state/conversation-state.ts';
import type { TimerName } from './state/events.ts';
import { ofLastState } from './state/of-last-state.ts';
import { closingLimitMs, hangupTailMs } from './state/phase.ts';
import { transferAtMs } from './transfer/transfer.ts';
import { endOfTurnAtMs, interruptAtMs, maxTurnAtMs, resumeAtMs } from './turns/turn-rules.ts';
import { keysDueAtMs } from './user-turn/dtmf-input.ts';
import { noWordsAtMs } from './user-turn/no-words.ts';
import { turnModelAtMs } from './user-turn/turn-prediction.ts';

export interface WantedTimer {
  readonly name: TimerName;
  readonly dueAtMs: number;
}

/**
 * Returns the timers of a state. Timers are derived from the state instead of set and cleared by transitions, so that
 * no timer can outlive the state that needs it.
 */
export const timersOf: (state: ConversationState) => readonly WantedTimer[] = ofLastState(derivedFrom);

function derivedFrom(state: ConversationState): WantedTimer[] {
  const { phase, config } = state;
  if (phase.kind === 'closing') {
    const limit: WantedTimer = { name: 'closing-limit', dueAtMs: phase.sinceMs + closingLimitMs };
    const sentenceAtMs = sentenceEndAtMs(state);
    if (sentenceAtMs !== null) return [limit, { name: 'sentence-end', dueAtMs: sentenceAtMs }];
    return phase.silentAtMs === null ? [limit] : [limit, { name: 'hangup', dueAtMs: phase.silentAtMs + hangupTailMs }];
  }
  if (phase.kind !== 'open') return [];
  const timers: WantedTimer[] = [{ name: 'max-duration', dueAtMs: state.opening.answeredAtMs + config.maxDurationMs }];
  const want = (name: TimerName, dueAtMs: number | null): void => {
    // A turn policy may express "never" by an infinite time.
    if (dueAtMs !== null && Number.isFinite(dueAtMs)) timers.push({ name, dueAtMs });
  };
  want('end-of-turn', endOfTurnAtMs(state));
  want('max-turn', maxTurnAtMs(state));
  want('greeting', state.opening.greetingDueAtMs);
  want('no-words', noWordsAtMs(state));
  want('preempt', preemptAtMs(state));
  want('turn-model', turnModelAtMs(state));
  want('interrupt', interruptAtMs(state));
  want('resume', resumeAtMs(state));
  want('keys', keysDueAtMs(state));
  want('filler', fillerAtMs(state));
  want('summary', summaryLimitAtMs(state));
  want('transfer', transferAtMs(state));
  want('answering', answeringAtMs(state));
  want('silence', state.silence.sinceMs === null ? null : state.silence.sinceMs + config.speech.silence.timeout_ms);
  return timers;
}

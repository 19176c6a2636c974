import { closingLimitMs, hangupTailMs } from './config.ts';
import { summaryLimitAtMs } from './context/summary.ts';
import type { TimerName } from './events.ts';
import { fillerAtMs } from './filler.ts';
import { keysDueAtMs } from './keys.ts';
import { preemptAtMs } from './preemption.ts';
import type { ConversationState } from './state.ts';
import { transferAtMs } from './transfer.ts';
import { endOfTurnAtMs, maxTurnAtMs } from './turns/endpointing.ts';
import { interruptAtMs, resumeAtMs } from './turns/interruption.ts';
import { noWordsAtMs } from './unrecognized.ts';
import { answeringAtMs } from './voicemail.ts';

export interface WantedTimer {
  readonly name: TimerName;
  readonly dueAtMs: number;
}

/**
 * The timers of a state. They are not set and cleared by transitions but follow from the state, so that none can
 * outlive it.
 */
export function timersOf(state: ConversationState): WantedTimer[] {
  const { phase, config } = state;
  if (phase.kind === 'closing') {
    return [
      { name: 'closing-limit', dueAtMs: phase.sinceMs + closingLimitMs },
      ...wanted('hangup', phase.silentAtMs === null ? null : phase.silentAtMs + hangupTailMs),
    ];
  }
  if (phase.kind !== 'open') return [];
  return [
    { name: 'max-duration', dueAtMs: state.answeredAtMs + config.maxDurationMs },
    ...wanted('end-of-turn', endOfTurnAtMs(state)),
    ...wanted('max-turn', maxTurnAtMs(state)),
    ...wanted('greeting', state.greetingDueAtMs),
    ...wanted('no-words', noWordsAtMs(state)),
    ...wanted('preempt', preemptAtMs(state)),
    ...wanted('interrupt', interruptAtMs(state)),
    ...wanted('resume', resumeAtMs(state)),
    ...wanted('keys', keysDueAtMs(state)),
    ...wanted('filler', fillerAtMs(state)),
    ...wanted('summary', summaryLimitAtMs(state)),
    ...wanted('transfer', transferAtMs(state)),
    ...wanted('answering', answeringAtMs(state)),
    ...wanted('silence', state.quietSinceMs === null ? null : state.quietSinceMs + config.speech.silence.timeout_ms),
  ];
}

function wanted(name: TimerName, dueAtMs: number | null): WantedTimer[] {
  return dueAtMs === null ? [] : [{ name, dueAtMs }];
}

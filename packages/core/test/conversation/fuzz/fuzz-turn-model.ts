import { defaultTurnPolicy, type TurnPolicy } from '@va/core';
import { silentLogger, type VirtualClock } from '@va/testkit';
import { TurnJudge } from '../../../src/calls/turn-model/turn-judge.ts';
import type { FuzzTurnModel } from './scene.ts';

/** Ends a turn early when the model is sure, though not before its words are there. */
export const endByModel: Partial<TurnPolicy> = {
  end: {
    ...defaultTurnPolicy.end,
    endsAtMs(situation) {
      const { endProbability, awaitsWords, lastSpeechAtMs } = situation.user;
      if (endProbability === null || awaitsWords) return defaultTurnPolicy.end.endsAtMs(situation);
      return lastSpeechAtMs + (endProbability > 0.5 ? 200 : 1_500);
    },
  },
};

export function fuzzTurnModel({ answer, delayMs, usesText }: FuzzTurnModel, clock: VirtualClock): TurnJudge {
  const judge = async (): Promise<number> => {
    await new Promise<void>((resolve) => {
      clock.setTimer(delayMs, resolve);
    });
    if (answer === 'throws') throw new Error('out of order');
    return answer;
  };
  return new TurnJudge({ model: { id: 'fuzz', usesText, judge }, clock, logger: silentLogger });
}

import type { TurnModel } from '@va/core';
import type { TurnModelInput } from '@va/core/adapter';

/** An answer, or a function that makes one; an error rejects. */
export type ScriptedPrediction = number | Error | ((input: TurnModelInput) => Promise<number>);

export interface ScriptedTurnModel extends TurnModel {
  readonly inputs: readonly TurnModelInput[];
  /** Calls of `open` and `close`, in order. */
  readonly life: readonly string[];
}

/** Returns a turn model that gives these answers in order, and repeats the last one. */
export function scriptedTurnModel(
  answers: readonly ScriptedPrediction[],
  options: Pick<TurnModel, 'usesText'> = {},
): ScriptedTurnModel {
  const inputs: TurnModelInput[] = [];
  const life: string[] = [];
  return {
    id: 'scripted',
    ...options,
    inputs,
    life,
    open: async () => void life.push('open'),
    async judge(input) {
      inputs.push(input);
      const answer = answers[Math.min(inputs.length, answers.length) - 1] ?? new Error('no answer is scripted');
      if (answer instanceof Error) throw answer;
      return typeof answer === 'number' ? answer : await answer(input);
    },
    close: async () => void life.push('close'),
  };
}

import { describe, expect, it } from 'vitest';
import type { TurnSituation } from '../../../src/conversation/turn-policy/turn-situation.ts';
import { combinedEndProbability } from '../../../src/conversation/turns/end-evidence.ts';
import { situationOf } from '../../../src/conversation/turns/situation-of.ts';
import { callerTurn, openConversation, speechOf } from '../../support/conversation-state.ts';
import type { SpeechConfigInput } from '../../support/steady-speech.ts';

type Weights = NonNullable<NonNullable<SpeechConfigInput['endpointing']>['weights']>;

/** Words that are neither certainly whole nor certainly not, of a caller who has paused. */
const undecided: Partial<TurnSituation['user']> = {
  text: 'on Friday in the evening with two friends',
  completeness: 'open',
  isCompleteByWords: false,
  isOpening: false,
  hasMarks: false,
  tail: null,
  endProbability: null,
};

function probability(
  user: Partial<TurnSituation['user']> = {},
  asked: TurnSituation['agent']['asked'] = null,
  weights: Weights = {},
): number {
  const speech = speechOf({ endpointing: { weights } });
  const situation = situationOf(openConversation({ userTurn: callerTurn({ kind: 'ending' }) }, { speech }));
  return combinedEndProbability({
    ...situation,
    user: { ...situation.user, ...undecided, ...user },
    agent: { ...situation.agent, asked },
  });
}

const tail = (levelChangeDb: number, pitchChangeSt: number | null) => ({
  tail: { levelChangeDb, pitchChangeSt, lastVoicedMs: 200 },
});
const whole = { completeness: 'complete' as const, isCompleteByWords: true };

describe('the words of a turn', () => {
  it('make its end almost certain if they are complete', () => {
    expect(probability({ text: 'I would like a table.', ...whole })).toBeGreaterThan(0.999);
  });

  it('make its end unlikely if they are one ambiguous word that answers no question', () => {
    const word = { text: 'si', ...whole, isOpening: true };
    expect(probability(word)).toBeLessThan(0.01);
    expect(probability(word, 'yesNo')).toBeGreaterThan(0.999);
    expect(probability({ ...word, text: 'si claro' })).toBeGreaterThan(0.999);
  });

  it('do not change the probability while there are none', () => {
    expect(probability({ text: '' })).toBe(0.5);
  });

  it('make its end likelier the more there are', () => {
    const ofWords = (count: number): number => probability({ text: Array(count).fill('word').join(' ') });
    const likely = [1, 2, 3, 5, 8, 12, 16].map(ofWords);
    expect([...likely].sort((a, b) => a - b)).toEqual(likely);
    expect(new Set(likely).size).toBe(likely.length);
    expect(ofWords(40)).toBe(ofWords(16));
  });

  it('make its end unlikely without a punctuation mark, if the recognizer sets marks', () => {
    expect(probability({ hasMarks: true })).toBeLessThan(0.001);
    expect(probability({ hasMarks: true, completeness: 'complete' })).toBe(probability());
  });

  it('make its end less likely if their main clause may be missing', () => {
    expect(probability({ isOpening: true })).toBeLessThan(probability() / 50);
  });

  it('make its end less likely if there are one or two, unless they answer a question', () => {
    const short = { text: 'I am' };
    expect(probability(short, 'other')).toBeGreaterThan(5 * probability(short));
  });
});

describe('an answer to the agent’s question', () => {
  const digits = { text: 'zero six one two three four five six' };

  it('makes the end likelier if it fits the question', () => {
    const said = { ...digits, completeness: 'complete' as const };
    expect(probability(said, 'other')).toBeGreaterThan(probability(said));
    expect(probability(digits, 'yesNo')).toBe(probability(digits));
  });

  it('makes the end less likely between groups of digits', () => {
    expect(probability(digits, 'details')).toBeLessThan(probability(digits));
    expect(probability({ ...digits, isCompleteByWords: true }, 'details')).toBeGreaterThan(probability(digits));
  });

  it('makes the end likelier after two words of a name than after one', () => {
    const [first, both] = ['Ann', 'Ann Lee'].map((text) => probability({ text }, 'name'));
    expect(both).toBeGreaterThan(first ?? 1);
  });

  it('counts by its weight', () => {
    expect(probability(digits, 'details', { question: 0 })).toBe(probability(digits));
    expect(probability(digits, 'details', { question: 2 })).toBeLessThan(probability(digits, 'details'));
  });
});

describe('the voice', () => {
  it('makes the end likelier if it fades, and less likely if it keeps its level', () => {
    expect(probability(tail(-15, 0))).toBeGreaterThan(probability());
    expect(probability(tail(0, 0))).toBeLessThan(probability());
    expect(probability(tail(-5.5, 0))).toBe(probability());
  });

  it('makes the end less likely if its pitch rises', () => {
    expect(probability(tail(-5.5, 1))).toBe(probability());
    expect(probability(tail(-5.5, 1.1))).toBeLessThan(probability());
  });

  it('changes the probability up to a limit', () => {
    expect(probability(tail(-60, 0))).toBe(probability(tail(-30, 0)));
    expect(probability(tail(60, 0))).toBe(probability(tail(30, 0)));
  });

  it('changes nothing without a pitch, or with weight 0', () => {
    expect(probability(tail(-15, null))).toBe(probability());
    expect(probability(tail(-15, 0), null, { prosody: 0 })).toBe(probability());
  });
});

describe('a turn model', () => {
  const judged = (endProbabilityOfModel: number | null, weights: Weights = {}): number =>
    probability({ endProbability: endProbabilityOfModel }, null, weights);

  it('raises or lowers the probability according to its estimate', () => {
    expect(judged(0.9)).toBeGreaterThan(judged(0.5));
    expect(judged(0.1)).toBeLessThan(judged(0.5));
    expect(judged(0.5)).toBe(judged(null));
  });

  it('never makes the end certain, even if its estimate is 0 or 1', () => {
    expect(judged(1)).toBe(judged(0.9999));
    expect(judged(0)).toBe(judged(0.0001));
    expect(judged(1)).toBeLessThan(1);
    expect(judged(0)).toBeGreaterThan(0);
  });

  it('does not outweigh words that are complete', () => {
    expect(probability({ text: 'I would like a table.', ...whole, endProbability: 0 })).toBeGreaterThan(0.9);
  });

  it('counts by its weight', () => {
    expect(judged(0.9, { turn_model: 0 })).toBe(judged(null));
  });
});

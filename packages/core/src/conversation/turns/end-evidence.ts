import type { SpeechTail } from '@va/media';
import type { TurnSituation } from '../turn-policy/turn-situation.ts';

/*
 * Evidence for the end of a turn after words that may be whole, as terms of a logistic model: a term of 1 multiplies
 * the odds of the end by e. `bench/listening` shows their effect on recorded speech.
 */

/** Returns the probability (0–1) that the turn is over. */
export function endProbability(situation: TurnSituation): number {
  const { question, prosody } = situation.settings.endpointing.weights;
  const terms =
    wordEvidence(situation) + question * answerEvidence(situation) + prosody * tailEvidence(situation.user.tail);
  return 1 / (1 + Math.exp(-terms));
}

function wordEvidence({ user }: TurnSituation): number {
  if (user.completeness !== 'complete') return -0.5;
  // A full stop alone may be the recognizer's guess.
  return user.isCompleteByWords ? 3 : 1;
}

/** Weighs the words as an answer to the agent's question. */
function answerEvidence({ user, agent }: TurnSituation): number {
  switch (agent.asked) {
    case null:
    case 'other':
      return 0;
    case 'yesNo':
      return user.completeness === 'complete' ? 1 : 0;
    case 'details':
      // Digits come in groups. A whole number is complete by its words.
      return user.isCompleteByWords ? 1 : -1;
    case 'name':
      return user.text.includes(' ') ? 0.5 : -0.5;
  }
}

/** Medians of the ends of sentences and of commas within them, in recorded speech of five languages. */
const typicalFadeDb = -5.5;
const fadeRangeDb = 4;

/** Speakers fade at the end of a sentence, and keep their level where they go on. */
function tailEvidence(tail: SpeechTail | null): number {
  if (tail === null || tail.pitchChangeSt === null) return 0;
  const fade = (typicalFadeDb - tail.levelChangeDb) / fadeRangeDb;
  const fall = -tail.pitchChangeSt / 12;
  return Math.max(-1, Math.min(1, 0.8 * fade + 0.2 * fall));
}

import type { SpeechTail } from '@va/media';
import type { TurnSituation } from '../turn-policy/turn-situation.ts';

/*
 * Evidence for the end of a turn after words that may be whole, as terms of a logistic model: a term of 1 multiplies
 * the odds of the end by e. They were chosen on the tuning part of `bench/listening`, which judges them on another.
 */

/** Returns the probability (0–1) that the turn is over. */
export function combinedEndProbability(situation: TurnSituation): number {
  const { question, prosody, turn_model: turnModel } = situation.settings.endpointing.weights;
  const terms =
    wordEvidence(situation) +
    question * answerEvidence(situation) +
    prosody * tailEvidence(situation.user.tail) +
    turnModel * modelEvidence(situation.user.endProbability);
  return 1 / (1 + Math.exp(-terms));
}

/** Maximum magnitude of the turn model's term, in log-odds: less than the 12 of words that are certainly complete. */
const maxModelTerm = 8;

/** Returns the term of a turn model: twice the log-odds of its probability, limited; 0 without a probability. */
function modelEvidence(probability: number | null): number {
  if (probability === null) return 0;
  return Math.max(-maxModelTerm, Math.min(maxModelTerm, 2 * Math.log(probability / (1 - probability))));
}

/** Number of words up to which a sentence is often only the beginning of a turn: "I am sorry." */
const shortestWords = 2;
/** Number of words from which a turn is more likely over than not. */
const typicalWords = 8;

function wordEvidence({ user, agent }: TurnSituation): number {
  if (user.text === '') return 0;
  // A word that answers or opens a clause (Spanish and French "si") is an answer only to a question.
  const isAmbiguous = user.isOpening && agent.asked === null && /^[^\s?？]+$/.test(user.text);
  if (user.completeness === 'complete' && user.isCompleteByWords && !isAmbiguous) return 12;
  // A full stop alone may be the recognizer's guess.
  const marks = user.completeness === 'open' && user.hasMarks ? -9 : -0.6;
  const words = user.text.split(' ').length;
  const length = 3 * Math.max(-1, Math.min(1, (words - typicalWords) / typicalWords));
  const isShort = words <= shortestWords && agent.asked === null;
  return marks + length - (isShort ? 3 : 0) - (user.isOpening ? 6 : 0);
}

/** Weighs the words as an answer to the agent's question. */
function answerEvidence({ user, agent }: TurnSituation): number {
  switch (agent.asked) {
    case null:
      return 0;
    case 'other':
    case 'yesNo':
      return user.completeness === 'complete' ? 3 : 0;
    case 'details':
      // Callers pause between groups of digits: an incomplete number or code is evidence that they will go on.
      return user.isCompleteByWords ? 3 : -3;
    case 'name':
      return user.text.includes(' ') ? 1.5 : -1.5;
  }
}

/** Between the medians of the ends of sentences and of commas within them, in recorded speech of five languages. */
const typicalFadeDb = -5.5;
const fadeRangeDb = 5;
/** Rise of the pitch, in semitones, above which the speaker probably goes on. */
const risingSt = 1;

/**
 * Speakers fade at the end of a sentence; where they go on, they keep their level, or raise the pitch. Of the fade
 * alone, the end is recognized in 62 % of pairs of 1,076 ends and 116 commas.
 */
function tailEvidence(tail: SpeechTail | null): number {
  if (tail === null || tail.pitchChangeSt === null) return 0;
  const fade = (typicalFadeDb - tail.levelChangeDb) / fadeRangeDb;
  return Math.max(-3, Math.min(3, 2.4 * fade)) - (tail.pitchChangeSt > risingSt ? 3 : 0);
}

export {
  type AmdEvent,
  type AmdSettings,
  type AmdState,
  type AmdVerdict,
  defaultAmdSettings,
  startAmd,
  stepAmd,
  verdictDueAtMs,
} from './amd/amd.ts';
export { takeClauses } from './sentences/clauses.ts';
export { closingSentence } from './spoken/closing-sentence.ts';
export type { Pronunciation } from './spoken/pronunciation.ts';
export { sampleSentence } from './spoken/sample-sentence.ts';
export {
  type SpokenOptions,
  type SpokenSegment,
  spokenSegments,
  spokenText,
  writtenUpTo,
} from './spoken/spoken.ts';
export { answersQuestion, isBackchannel } from './turns/backchannels.ts';
export { type Completeness, completeness, isCompleteByWords, isOpening } from './turns/completeness.ts';
export { type QuestionKind, questionKind } from './turns/questions.ts';

import type { GreetingPhrases } from './greeting-phrases.ts';
import type { SpokenLanguage } from './spoken-language.ts';

/** Words and phrases of one language, all in lower case. */
export interface Language {
  /** Primary subtag of BCP 47, such as `en`. */
  readonly tag: string;
  readonly sentences: SentenceWords;
  readonly listening: ListeningWords;
  readonly turns: TurnWords;
  readonly spelling: SpellingWords;
  readonly spoken: SpokenLanguage;
  readonly greetings: GreetingPhrases;
}

/** Words that decide where a sentence or clause ends. Abbreviations are listed without their last dot. */
export interface SentenceWords {
  /** Abbreviations that never end a sentence: titles, "e.g." */
  readonly abbreviations: ReadonlySet<string>;
  /** Abbreviations that end a sentence if a capital follows: "etc." */
  readonly lastAbbreviations: ReadonlySet<string>;
  /** Words that are abbreviations only before a number: "no." */
  readonly numberAbbreviations: ReadonlySet<string>;
  /** Single capital letters that are words rather than initials. */
  readonly capitalWords: ReadonlySet<string>;
  /** Words before which a long first clause may be cut. */
  readonly conjunctions: ReadonlySet<string>;
  /** Phrases that are complete clauses although a comma follows. */
  readonly interjections: ReadonlySet<string>;
  /** Number words that a conjunction may continue: "two hundred and …" */
  readonly numberParts: ReadonlySet<string>;
  /**
   * Words that an ordinal stands `before` or `after`, for languages that write ordinals with a dot; null for others.
   */
  readonly dottedOrdinals: { readonly before: ReadonlySet<string>; readonly after: ReadonlySet<string> } | null;
}

interface ListeningWords {
  /** Words and phrases of a listener: "I see". */
  readonly backchannels: readonly string[];
  /** Words and phrases that answer a yes-or-no question. */
  readonly answers: readonly string[];
  /** Words beside an answer that add nothing to it: "yes, please". */
  readonly softeners: readonly string[];
}

/** Words from which `completeness` decides whether a turn is finished. */
interface TurnWords {
  /** Words that never end a turn: conjunctions, articles, possessives, fillers. */
  readonly unfinished: ReadonlySet<string>;
  /** Words that rarely end a turn: prepositions, auxiliaries. */
  readonly hardlyFinished: ReadonlySet<string>;
  /** Phrases of one to four words that never end a turn although their last word may. */
  readonly unfinishedPhrases: ReadonlySet<string>;
  /** Phrases of one to four words that end a turn. */
  readonly finishedPhrases: ReadonlySet<string>;
  /** Pronouns between an answer and an auxiliary: "yes, I do". */
  readonly pronouns: ReadonlySet<string>;
  /**
   * First words of clauses and phrases that stand before the main clause ("if", "when", "to", "for"): without a comma
   * the main clause may be missing.
   */
  readonly openings: ReadonlySet<string>;
  /** First two words of yes-or-no questions. */
  readonly closedQuestions: ReadonlySet<string>;
}

/** Words of telephone numbers, codes, names and addresses that are given piece by piece. */
export interface SpellingWords {
  /** Number words and the count of digits that each stands for. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Number words that include the digit after them: "twenty" before "one". */
  readonly tens: ReadonlySet<string>;
  /** Words that double the next digit or letter: "double". */
  readonly doubles: ReadonlySet<string>;
  /** Other words inside a spelled sequence: "dash". */
  readonly marks: ReadonlySet<string>;
  readonly at: ReadonlySet<string>;
  readonly dot: ReadonlySet<string>;
  /** Words that announce spelling or digits: "number", "code". */
  readonly cues: ReadonlySet<string>;
  /** Words that announce an e-mail address. */
  readonly emailCues: ReadonlySet<string>;
  /** Words of a question for a name. */
  readonly nameCues: ReadonlySet<string>;
}

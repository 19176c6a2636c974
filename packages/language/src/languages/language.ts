import type { GreetingPhrases } from './greeting-phrases.ts';
import type { SpokenLanguage } from './spoken-language.ts';

/** What the conversation has to know of a language to take turns in it. All words are in lower case. */
export interface Language {
  /** Primary subtag of BCP 47. */
  readonly tag: string;
  readonly sentences: SentenceWords;
  readonly listening: ListeningWords;
  readonly turns: TurnWords;
  readonly spelling: SpellingWords;
  readonly spoken: SpokenLanguage;
  readonly greetings: GreetingPhrases;
}

/** Where a sentence or clause ends. Abbreviations are written without their last dot. */
export interface SentenceWords {
  /** Always followed by the rest of their sentence: titles, "e.g." */
  readonly abbreviations: ReadonlySet<string>;
  /** May end a sentence, and do where a capital follows: "etc." */
  readonly lastAbbreviations: ReadonlySet<string>;
  /** Abbreviations only where a number follows: "no." */
  readonly numberAbbreviations: ReadonlySet<string>;
  /** Single capitals that are words, not initials. */
  readonly capitalWords: ReadonlySet<string>;
  /** Before these a long first clause may be cut. */
  readonly conjunctions: ReadonlySet<string>;
  /** Complete by themselves, though followed by a comma. */
  readonly interjections: ReadonlySet<string>;
  /** After these a conjunction may go on with the number: "two hundred and …" */
  readonly numberParts: ReadonlySet<string>;
  /** In languages that write ordinals with a dot: what such a number stands before and after. */
  readonly dottedOrdinals: { readonly before: ReadonlySet<string>; readonly after: ReadonlySet<string> } | null;
}

export interface ListeningWords {
  /** Words and phrases that show that somebody listens. */
  readonly backchannels: readonly string[];
  /** Words and phrases that answer a question of yes or no. */
  readonly answers: readonly string[];
  /** Said beside an answer without adding to it: "yes, please". */
  readonly softeners: readonly string[];
}

/** What the last words of a turn tell of whether it goes on. */
export interface TurnWords {
  /** Nothing ends with them: conjunctions, articles, possessives, fillers. */
  readonly unfinished: ReadonlySet<string>;
  /** Hardly anything ends with them: prepositions, auxiliaries. */
  readonly hardlyFinished: ReadonlySet<string>;
  /** Phrases of two to four words that nothing ends with, though their last word does not show it. */
  readonly unfinishedPhrases: ReadonlySet<string>;
  /** Phrases of one to four words after which a turn is over. */
  readonly finishedPhrases: ReadonlySet<string>;
  /** Pronouns that an answer may put before an auxiliary: "yes, I do". */
  readonly pronouns: ReadonlySet<string>;
  /** First two words of questions that are answered by yes or no. */
  readonly closedQuestions: ReadonlySet<string>;
}

/** Telephone numbers, codes, names and addresses, given piece by piece. */
export interface SpellingWords {
  /** Number words, with the count of digits that each stands for. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Number words that a unit completes: "twenty", which takes the digit that follows into its own. */
  readonly tens: ReadonlySet<string>;
  /** Words that repeat the next digit: "double". */
  readonly doubles: ReadonlySet<string>;
  /** Other words within what is spelled: "dash". */
  readonly marks: ReadonlySet<string>;
  readonly at: ReadonlySet<string>;
  readonly dot: ReadonlySet<string>;
  /** Words that announce that something is going to be spelled or given in digits. */
  readonly cues: ReadonlySet<string>;
  /** Words that announce an e-mail address. */
  readonly emailCues: ReadonlySet<string>;
}

import type { NumberGrammar, SpokenLanguage } from '../../languages/spoken-language.ts';

/** A text and the language in which it is read aloud. */
export interface Reading {
  readonly text: string;
  readonly language: SpokenLanguage;
  /** Region in upper case, '' without one. */
  readonly region: string;
  /** Copy of `language.numbers`, so that `NumberReading` can narrow it; null if the language has no number grammar. */
  readonly numbers: NumberGrammar | null;
}

/** Reading in a language whose number grammar is known. */
export interface NumberReading extends Reading {
  readonly numbers: NumberGrammar;
}

export function knowsNumbers(reading: Reading): reading is NumberReading {
  return reading.numbers !== null;
}

/** Replacement of the text from the index that was given to the rule up to `end`. */
export interface Said {
  readonly end: number;
  readonly spoken: string;
  /** True if a range may continue here: "10" in "10-12". */
  readonly isNumber?: boolean;
}

/** Matches a sticky pattern at an index. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export function digitByDigit(digits: string, { language }: Reading): string {
  return [...digits].map((digit) => language.digits[Number(digit)] ?? digit).join(' ');
}

export function letters(word: string): string {
  return [...word].join(' ').toUpperCase();
}

/** Reads digits one by one, more than five in groups of at most four, so that a listener can follow. */
export function inGroups(digits: string, reading: Reading): string {
  if (digits.length <= 5) return digitByDigit(digits, reading);
  const size = digits.length % 4 === 0 ? 4 : 3;
  const groups: string[] = [];
  let at = 0;
  while (digits.length - at > 4 || (digits.length - at > size && size === 4)) {
    groups.push(digits.slice(at, at + size));
    at += size;
  }
  groups.push(digits.slice(at));
  return groups.map((group) => digitByDigit(group, reading)).join(', ');
}

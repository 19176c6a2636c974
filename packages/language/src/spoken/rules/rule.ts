import type { NumberGrammar, SpokenLanguage } from '../../languages/spoken-language.ts';

/** A text that is read out. */
export interface Reading {
  readonly text: string;
  readonly language: SpokenLanguage;
  /** Capitals, '' where the tag names none. */
  readonly region: string;
  /** Those of the language. */
  readonly numbers: NumberGrammar | null;
}

/** The same, in a language of which the numbers are known. */
export interface NumberReading extends Reading {
  readonly numbers: NumberGrammar;
}

export function knowsNumbers(reading: Reading): reading is NumberReading {
  return reading.numbers !== null;
}

/** What is said in place of the text from where a rule was asked to `end`. */
export interface Said {
  readonly end: number;
  readonly spoken: string;
  /** Whether a range may go on from here: "10" of "10-12". */
  readonly isNumber?: boolean;
}

/** The match of a sticky pattern at a place. */
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

/** Digits in groups that can be followed: no group of more than four, unless it is written so. */
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

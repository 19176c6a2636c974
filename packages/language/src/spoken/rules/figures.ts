import type { NumberGrammar } from '../../languages/spoken-language.ts';
import { digitsEnd, isDigit, isSpace } from '../../text/scan.ts';
import { inGroups, matchAt, type Reading } from './rule.ts';

const figures = /\d{1,40}(?:[.,]\d{1,30}){0,8}/y;
const bareDecimals = /[.,](\d{1,30})(?![.,]?\d)/y;
/** Groups of three digits after a no-break space (U+00A0), a narrow one (U+202F) or a thin space (U+2009). */
const noBreakGroups = /(?:[\u00a0\u202f\u2009]\d{3}){1,4}/.source;
const spacedGroups = new RegExp(
  `([1-9]\\d{0,2}(?:${noBreakGroups}|(?: \\d{3}){0,3} 000))(?:[.,](\\d{1,30}))?(?![ \\u00a0\\u202f\\u2009.,]?\\d)`,
  'y',
);
/** Numbers above this are read digit by digit. */
const tooGreat = 1e15;

/** Number as written: its whole part and the digits after its decimal mark. */
export interface WrittenNumber {
  readonly end: number;
  /** Digits before the decimal mark without the marks between groups; '' for a number such as ".5". */
  readonly whole: string;
  readonly decimals: string;
  /** True if it is written in groups: "1,000". */
  readonly grouped: boolean;
}

/**
 * Parses a number with the decimal mark of a language. The other mark is accepted if it is unambiguous: "12.50" cannot
 * be thousands in Dutch either. Returns null if the marks do not form a number, as in a version.
 */
export function figuresAt(text: string, at: number, { decimalMark }: NumberGrammar): WrittenNumber | null {
  const firstEnd = digitsEnd(text, at);
  if (firstEnd === at) {
    const [bare, decimals = ''] = matchAt(bareDecimals, text, at) ?? [];
    return bare === undefined ? null : { end: at + bare.length, whole: '', decimals, grouped: false };
  }
  if (isSpace(text.charAt(firstEnd))) {
    const spaced = spacedFiguresAt(text, at);
    if (spaced !== null) return spaced;
  }
  const mark = text.charAt(firstEnd);
  if (mark !== '.' && mark !== ',') {
    return { end: firstEnd, whole: text.slice(at, firstEnd), decimals: '', grouped: false };
  }
  const written = matchAt(figures, text, at)?.[0];
  if (written === undefined) return null;
  const end = at + written.length;
  const parts = written.split(/[.,]/);
  const [first = '', ...others] = parts;
  if (others.length === 0) return { end, whole: first, decimals: '', grouped: false };
  const marks = written.replace(/\d/g, '');
  const last = marks.charAt(marks.length - 1);
  const isMixed = marks.split('').some((mark) => mark !== last);
  const isOneGroup = last !== decimalMark && others.length === 1 && others[0]?.length === 3 && first !== '0';
  const hasDecimals = isMixed || (others.length === 1 && !(isOneGroup && first.length <= 3));
  const groups = hasDecimals ? others.slice(0, -1) : others;
  const isGrouped = groups.every((group) => group.length === 3) && (groups.length === 0 || first.length <= 3);
  const isPlain =
    !isMixed ||
    marks
      .slice(0, -1)
      .split('')
      .every((mark) => mark !== last);
  if (!isGrouped || !isPlain) return null;
  const decimals = hasDecimals ? (others.at(-1) ?? '') : '';
  return { end, whole: first + groups.join(''), decimals, grouped: groups.length > 0 };
}

/**
 * Parses a number whose groups are separated by no-break spaces ("1 000"). Plain spaces separate groups only if
 * the last group is "000": other digits after a plain space may be another number.
 */
export function spacedFiguresAt(text: string, at: number): WrittenNumber | null {
  // Digits before a space at `at` make it a part of a longer number, such as one with a trunk prefix ("0 800 123 456").
  if (isSpace(text.charAt(at - 1)) && isDigit(text.charAt(at - 2))) return null;
  const found = matchAt(spacedGroups, text, at);
  if (found === null) return null;
  const [written, groups = '', decimals = ''] = found;
  return { end: at + written.length, whole: groups.replace(/\D/g, ''), decimals, grouped: true };
}

/** Reads a number without its unit; digit by digit if it is not a quantity. */
export function sayFigures(
  { whole, decimals, grouped }: WrittenNumber,
  reading: Reading,
  numbers: NumberGrammar,
): string {
  if (whole === '') return `${numbers.leadingDecimalMark} ${numbers.decimals(decimals)}`;
  const value = Number(whole);
  const isString = (whole.length > 1 && whole.startsWith('0')) || value > tooGreat || isLong(whole, grouped);
  const said = isString ? inGroups(whole, reading) : numbers.cardinal(value);
  return decimals === '' ? said : `${said} ${numbers.spokenDecimalMark} ${numbers.decimals(decimals)}`;
}

/** True for long numbers without groups, which are identifiers rather than quantities, unless they are round. */
function isLong(whole: string, grouped: boolean): boolean {
  return !grouped && whole.length > 6 && !whole.endsWith('00000');
}

/** True if the word or number before `at` may continue there. */
export function goesOn(text: string, at: number): boolean {
  return /^[\p{L}\d]/u.test(text.slice(at, at + 2));
}

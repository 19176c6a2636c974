import type { NumberGrammar } from '../../languages/spoken-language.ts';
import { digitsEnd } from '../../text/scan.ts';
import { inGroups, matchAt, type Reading } from './rule.ts';

const figures = /\d{1,40}(?:[.,]\d{1,30}){0,8}/y;
/** From here on a number is not said as one. */
const tooGreat = 1e15;

/** A number as written: its whole part, and the digits after its decimal mark. */
export interface Figures {
  readonly end: number;
  readonly whole: string;
  readonly decimals: string;
  /** Whether it is written in groups: "1,000". */
  readonly grouped: boolean;
}

/**
 * Reads a number by the marks of a language. A mark of another language's kind is understood where it can mean only one
 * thing: "12.50" is no thousands in Dutch either. Null where the marks make no number, as in a version.
 */
export function figuresAt(text: string, at: number, { decimalMark }: NumberGrammar): Figures | null {
  const firstEnd = digitsEnd(text, at);
  const mark = text.charAt(firstEnd);
  if (firstEnd > at && mark !== '.' && mark !== ',') {
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

/** A number without what it counts; one that is no quantity, digit by digit. */
export function sayFigures({ whole, decimals, grouped }: Figures, reading: Reading, numbers: NumberGrammar): string {
  const value = Number(whole);
  const isString = (whole.length > 1 && whole.startsWith('0')) || value > tooGreat || isLong(whole, grouped);
  const said = isString ? inGroups(whole, reading) : numbers.cardinal(value);
  return decimals === '' ? said : `${said} ${decimalWord(numbers)} ${numbers.decimals(decimals)}`;
}

/** Many figures without groups name something rather than count it, unless they are round. */
function isLong(whole: string, grouped: boolean): boolean {
  return !grouped && whole.length > 6 && !whole.endsWith('00000');
}

function decimalWord(numbers: NumberGrammar): string {
  return numbers.decimalMark === '.' ? 'point' : 'komma';
}

/** Whether a word or number could go on at a place, so that what ends there is only a part. */
export function goesOn(text: string, at: number): boolean {
  return /^[\p{L}\d]/u.test(text.slice(at, at + 2));
}

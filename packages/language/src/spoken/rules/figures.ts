import type { NumberGrammar } from '../../languages/spoken-language.ts';
import { digitsEnd } from '../../text/scan.ts';
import { inGroups, matchAt, type Reading } from './rule.ts';

const figures = /\d{1,40}(?:[.,]\d{1,30}){0,8}/y;
/** Numbers from here on are read digit by digit. */
const tooGreat = 1e15;

/** Number as written: its whole part and the digits after its decimal mark. */
export interface Figures {
  readonly end: number;
  readonly whole: string;
  readonly decimals: string;
  /** True if it is written in groups: "1,000". */
  readonly grouped: boolean;
}

/**
 * Parses a number with the decimal mark of a language. The other mark is accepted if it is unambiguous: "12.50" cannot
 * be thousands in Dutch either. Returns null if the marks do not form a number, as in a version.
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

/** Reads a number without its unit; digit by digit if it is not a quantity. */
export function sayFigures({ whole, decimals, grouped }: Figures, reading: Reading, numbers: NumberGrammar): string {
  const value = Number(whole);
  const isString = (whole.length > 1 && whole.startsWith('0')) || value > tooGreat || isLong(whole, grouped);
  const said = isString ? inGroups(whole, reading) : numbers.cardinal(value);
  return decimals === '' ? said : `${said} ${decimalWord(numbers)} ${numbers.decimals(decimals)}`;
}

/** True for long numbers without groups, which are identifiers rather than quantities, unless they are round. */
function isLong(whole: string, grouped: boolean): boolean {
  return !grouped && whole.length > 6 && !whole.endsWith('00000');
}

function decimalWord(numbers: NumberGrammar): string {
  return numbers.decimalMark === '.' ? 'point' : 'komma';
}

/** True if the word or number before `at` may continue there. */
export function goesOn(text: string, at: number): boolean {
  return /^[\p{L}\d]/u.test(text.slice(at, at + 2));
}

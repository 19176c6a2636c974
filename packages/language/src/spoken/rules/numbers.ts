import { digitsEnd, isDigit, isSpace, isWordChar } from '../../text/scan.ts';
import { date, plainDateTime, time } from './calendar.ts';
import { chained, digitString } from './digit-strings.ts';
import { figuresAt, goesOn, sayFigures, spacedFiguresAt, type WrittenNumber } from './figures.ts';
import { isLineStart } from './markdown.ts';
import { moneyAfter, moneyBefore } from './money.ts';
import { inGroups, knowsNumbers, matchAt, type NumberReading, type Reading, type Said } from './rule.ts';
import { previousWord } from './words.ts';

const listNumber = /(\d{1,3})[.)](?=[ \t]{1,10}\S)/y;
const joined = /\d{1,40}(?:[.,]\d{1,30}){0,8}/y;
const fraction = /\d{1,2}\/\d(?![\d/])/y;
const suffix = /\p{L}{1,3}(?!\p{L}|\d)/uy;
const unit = /[ \u00a0\u202f]?(°[CF]|[\p{L}°℃%‰¢][\p{L}²³23]{0,4}(?:\/\p{L}{1,2})?)(?![\p{L}\d])/uy;
const nextWord = /[ \u00a0\u202f](\p{L}{3,10})\.?(?!\p{L})/uy;
const decadeWords = new Set(['the', 'early', 'mid', 'late']);
const plainDigits = /\d{1,40}(?!\d)/y;

/** Reads a number, or a date, time or amount made of numbers, from a digit or from a sign before one. */
export function number(reading: Reading, at: number): Said | null {
  if (!knowsNumbers(reading)) return withoutGrammar(reading, at);
  const { text } = reading;
  const first = text.charAt(at);
  if (first === '.' || first === ',') return isDecimalStart(reading, at) ? counted(reading, at) : null;
  if (!isDigit(first)) return '+('.includes(first) ? digitString(reading, at) : moneyBefore(reading, at);
  // The character after the first digits selects the rules to try.
  const end = digitsEnd(text, at);
  const next = text.charAt(end);
  const isNext = (marks: string): boolean => next !== '' && marks.includes(next);
  return (
    (isNext('.)') ? numbered(reading, at) : null) ??
    (isNext('-/.') ? date(reading, at) : null) ??
    (end - at <= 2 ? time(reading, at) : null) ??
    (first === '0' || (next !== '' && end - at <= 4) ? digitString(reading, at) : null) ??
    (isNext('-') ? chained(reading, at) : null) ??
    (isNext('/') ? fractional(reading, at) : null) ??
    counted(reading, at)
  );
}

/** True if the decimal mark at `at` begins a number: ".5". Dutch accepts both marks, as in whole numbers. */
function isDecimalStart({ text, numbers }: Reading, at: number): boolean {
  const mark = text.charAt(at);
  if (mark !== '.' && !(mark === ',' && numbers?.decimalMark === ',')) return false;
  const before = text.charAt(at - 1);
  return isDigit(text.charAt(at + 1)) && (before === '' || isSpace(before) || '(["“\'*_-–−+~≈'.includes(before));
}

/** Reads digit strings in a language whose number grammar is unknown. */
function withoutGrammar(reading: Reading, at: number): Said | null {
  // Digits after a mark inside a number are decimals or a group of it: "1.000".
  if (/\d[.,]$/.test(reading.text.slice(Math.max(0, at - 2), at))) return null;
  const said = digitString(reading, at) ?? plainDateTime(reading, at);
  if (said !== null) return said;
  const spaced = spacedFiguresAt(reading.text, at);
  // The synthesizer reads the number; a space inside it would make two numbers of it.
  if (spaced !== null) return { end: spaced.end, spoken: reading.text.slice(at, spaced.end).replace(/\s/g, '') };
  const digits = matchAt(plainDigits, reading.text, at)?.[0] ?? '';
  const isString = digits.length > 6 || (digits.length > 2 && digits.startsWith('0'));
  const end = at + digits.length;
  return isString && !/^[.,]\d/.test(reading.text.slice(end, end + 2)) && !goesOn(reading.text, end)
    ? { end, spoken: inGroups(digits, reading) }
    : null;
}

function numbered({ text, numbers }: NumberReading, at: number): Said | null {
  const found = isLineStart(text, at) ? matchAt(listNumber, text, at) : null;
  return found === null ? null : { end: at + found[0].length, spoken: `${numbers.cardinal(Number(found[1]))}.` };
}

function fractional({ text, numbers, language }: NumberReading, at: number): Said | null {
  const found = matchAt(fraction, text, at)?.[0];
  const spoken = found === undefined ? undefined : numbers.fractions.get(found);
  if (found === undefined || spoken === undefined) return null;
  const isMixed = /\d[ \u00a0\u202f]$/.test(text.slice(Math.max(0, at - 2), at));
  return { end: at + found.length, spoken: isMixed ? `${language.signs.and} ${spoken}` : spoken };
}

function counted(reading: NumberReading, at: number): Said | null {
  const { text, numbers } = reading;
  const figures = figuresAt(text, at, numbers);
  if (figures === null) return several(reading, at);
  return (
    (isCounting(text, figures.end)
      ? (moneyAfter(figures, reading) ??
        asOrdinal(figures, reading) ??
        asDecade(figures, reading, at) ??
        withUnit(figures, reading))
      : null) ??
    dayOrYear(figures, reading, at) ??
    (goesOn(text, figures.end)
      ? null
      : { end: figures.end, spoken: sayFigures(figures, reading, numbers), isNumber: true })
  );
}

/** True if a currency, unit or suffix may follow the number. */
function isCounting(text: string, end: number): boolean {
  const next = text.charAt(end);
  const char = isSpace(next) ? text.charAt(end + 1) : next;
  return char !== '' && !isDigit(char) && (isWordChar(char) || '€$£¥¢°℃%‰,.'.includes(char));
}

/** Reads numbers whose marks do not form one number: a version, an IP address, a list. */
function several(reading: NumberReading, at: number): Said | null {
  const written = matchAt(joined, reading.text, at)?.[0];
  if (written === undefined) return null;
  const spoken = written.match(/\d+|[.,]/g)?.map((part) => {
    if (part === ',') return ', ';
    if (part === '.') return ` ${reading.language.signs.dot} `;
    return sayFigures({ end: 0, whole: part, decimals: '', grouped: false }, reading, reading.numbers);
  });
  return { end: at + written.length, spoken: spoken?.join('') ?? '' };
}

function asOrdinal({ end, whole, decimals }: WrittenNumber, { text, numbers }: NumberReading): Said | null {
  if (decimals !== '' || whole.length > 9) return null;
  const found = matchAt(suffix, text, end)?.[0];
  if (found === undefined || !numbers.ordinalSuffix.test(found)) return null;
  return { end: end + found.length, spoken: numbers.ordinal(Number(whole)) };
}

/** Reads "1990s", and "80s" after a word or an apostrophe that makes it a decade rather than a time in seconds. */
function asDecade(
  { end, whole, decimals, grouped }: WrittenNumber,
  { text, numbers }: NumberReading,
  at: number,
): Said | null {
  const isAttached = text.charAt(end) === 's' && !isWordChar(text.charAt(end + 1));
  if (numbers.decade === null || !isAttached || decimals !== '' || grouped || !whole.endsWith('0')) return null;
  const value = Number(whole);
  const isFull = whole.length === 4 && value >= 1_100 && value < 2_100;
  const isShort =
    whole.length === 2 && value >= 20 && (/['’]/.test(text.charAt(at - 1)) || decadeWords.has(previousWord(text, at)));
  return isFull || isShort ? { end: end + 1, spoken: numbers.decade(value) } : null;
}

function withUnit(figures: WrittenNumber, reading: NumberReading): Said | null {
  const found = matchAt(unit, reading.text, figures.end);
  const name = found === null ? undefined : reading.numbers.units.get(found[1] ?? '');
  if (found === null || name === undefined) return null;
  const isOne = figures.whole === '1' && figures.decimals === '';
  const spoken = `${sayFigures(figures, reading, reading.numbers)} ${isOne ? name[0] : name[1]}`;
  return { end: figures.end + found[0].length, spoken, isNumber: true };
}

/** Reads a number beside a month as a day or a year. Numbers from 1900 to 2099 are years in any context. */
function dayOrYear(
  { end, whole, decimals, grouped }: WrittenNumber,
  { text, numbers }: NumberReading,
  at: number,
): Said | null {
  if (decimals !== '' || grouped || goesOn(text, end)) return null;
  const value = Number(whole);
  if (whole.length > 4 || whole.length === 3 || (whole.length <= 2 && (value < 1 || value > 31))) return null;
  const before = previousWord(text, text.charAt(at - 1) === ',' || text.charAt(at - 2) === ',' ? at - 2 : at);
  if (whole.length === 4 && value >= 1_100) {
    const isLikely = value >= 1_900 && value < 2_100;
    const isAfterDay = /\d(?:st|nd|rd|th)?, $/.test(text.slice(Math.max(0, at - 5), at));
    const isYear = isLikely || isAfterDay || numbers.yearWords.has(before) || numbers.months.has(before);
    return isYear ? { end, spoken: numbers.year(value), isNumber: true } : null;
  }
  if (whole.length > 2) return null;
  if (numbers.months.has(before)) return { end, spoken: numbers.dayBeside(value, 'after'), isNumber: true };
  const following = matchAt(nextWord, text, end)?.[1]?.toLowerCase() ?? '';
  return numbers.months.has(following) ? { end, spoken: numbers.dayBeside(value, 'before') } : null;
}

import { isDigit, isSpace, isWordChar } from '../../text/scan.ts';
import type { Reading, Said } from './rule.ts';

/** Reads a sign that stands for a word. */
export function sign(reading: Reading, at: number, numberEnd: number): Said | null {
  const { text, language } = reading;
  const { signs } = language;
  const before = text.charAt(at - 1);
  const after = text.charAt(at + 1);
  switch (text.charAt(at)) {
    case '&':
      return said(at + (text.startsWith('&amp;', at) ? 5 : 1), signs.and);
    case '@':
      return said(at + 1, signs.at);
    case '%':
      return said(at + 1, signs.percent);
    case '№':
      return said(at + 1, signs.number);
    case '°':
      return degrees(reading, at);
    case '§':
      return said(at + 1, signs.paragraph);
    case '×':
      return said(at + 1, signs.times);
    case '≈':
      return said(at + 1, signs.about);
    case '~':
      return isDigit(after) || after === '€' || after === '$' ? said(at + 1, signs.about) : null;
    case '*':
      return said(at + 1, signs.times);
    case '#':
      if (isDigit(after)) return said(at + 1, signs.number);
      return isWordChar(after) ? said(at + 1, signs.hashtag) : { end: at + 1, spoken: ' ' };
    case '/':
      return slash(reading, at);
    case '+':
      return isBesideNumber(before, after) ? said(at + 1, signs.plus) : null;
    case '=':
      return (isSpace(before) && isSpace(after)) || (isDigit(before) && isDigit(after))
        ? said(at + 1, signs.equals)
        : null;
    case '-':
    case '–':
    case '−':
      return stroke(reading, at, numberEnd);
    case '→':
    case '⇒':
    case '←':
    case '·':
    case '•':
    case '✓':
    case '✗':
    case '■':
    case '●':
      return { end: at + 1, spoken: ' ' };
    default:
      return null;
  }
}

function said(end: number, word: string): Said {
  return { end, spoken: ` ${word} ` };
}

function degrees({ text, language: { signs } }: Reading, at: number): Said {
  const scale = text.charAt(at + 1);
  const isScale = (scale === 'C' || scale === 'F') && !isWordChar(text.charAt(at + 2));
  if (!isScale) return said(at + 1, signs.degrees);
  return said(at + 2, `${signs.degrees} ${scale === 'C' ? signs.celsius : signs.fahrenheit}`);
}

function isBesideNumber(before: string, after: string): boolean {
  return (isSpace(before) && (isSpace(after) || isDigit(after))) || (isDigit(before) && isDigit(after));
}

/** Reads a slash as "or" between words, and as "slash" between numbers. */
function slash({ text, language }: Reading, at: number): Said | null {
  const before = text.charAt(at - 1);
  const after = text.charAt(at + 1);
  if (before === '/' || after === '/') return null;
  const isBetweenDigits = isDigit(before) && isDigit(after);
  return said(at + 1, isBetweenDigits ? language.signs.slash : language.signs.or);
}

/** Reads a hyphen between two numbers as a range, and before a single number as a minus. */
function stroke({ text, language }: Reading, at: number, numberEnd: number): Said | null {
  if (language.numbers === null) return null;
  const before = text.charAt(at - 1);
  const spaced = isSpace(before) && isSpace(text.charAt(at + 1));
  const next = text.charAt(spaced ? at + 2 : at + 1);
  const isDecimal = next === language.numbers.decimalMark && isDigit(text.charAt(spaced ? at + 3 : at + 2));
  if (!(isDigit(next) || isDecimal || (next !== '' && '€$£'.includes(next)))) return null;
  if (numberEnd === (spaced ? at - 1 : at)) return said(at + 1, language.numbers.to);
  const isLeading = before === '' || isSpace(before) || '(["“*'.includes(before);
  return isLeading && !spaced ? said(at + 1, language.numbers.minus) : null;
}

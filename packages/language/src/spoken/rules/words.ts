import { isCapital, isSpace, isWordChar, wordEnd } from '../../text/scan.ts';
import { inGroups, letters, matchAt, type Reading, type Said } from './rule.ts';

const abbreviated = /\p{L}{1,10}(?:[./-]{1,2}\p{L}{1,8}){0,5}/uy;
const initials = /(?:[A-Z]\.){2,6}/y;
const capitals = /([A-Z]{2,6})(s?)(?![\p{L}\d])/uy;
const accountNumber = /[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/y;
const code = /([A-Z]{1,4})-?(\d{4,20})(?![A-Za-z0-9])/y;
/** Sign for "number" made of an n and a raised o or a degree sign: "n° 5". */
const numeroSign = /n[°º]\.?(?=[ \u00a0\u202f]?\d)/iy;
const vowel = /[AEIOUY]/;
/** Words in capitals without a vowel that are not spelled: words, sounds and sizes. */
const unspelled = new Set([
  'MR',
  'MRS',
  'DR',
  'ST',
  'NR',
  'HM',
  'HMM',
  'MM',
  'MMM',
  'SH',
  'SHH',
  'PSST',
  'BRR',
  'PFF',
  'TSK',
]);

/** Reads abbreviations, acronyms, and codes that start with a letter. */
export function word(reading: Reading, at: number): Said | null {
  const { text, language } = reading;
  const numero = matchAt(numeroSign, text, at)?.[0];
  if (numero !== undefined) return { end: at + numero.length, spoken: `${language.signs.number} ` };
  const end = wordEnd(text, at);
  const next = text.charAt(end);
  if (isCapital(text.charAt(at))) {
    const spelled = account(reading, at) ?? (next === '.' ? dottedCapitals(reading, at) : acronym(reading, at));
    if (spelled !== null) return spelled;
  }
  const mayBeShort = next !== '' && './-'.includes(next);
  if (mayBeShort || language.titles.has(text.slice(at, end).toLowerCase())) {
    return abbreviation(reading, at) ?? acronym(reading, at);
  }
  return null;
}

function abbreviation(reading: Reading, at: number): Said | null {
  const { text, language } = reading;
  const written = matchAt(abbreviated, text, at)?.[0];
  if (written === undefined) return null;
  const key = written.toLowerCase();
  const end = at + written.length;
  const hasDot = text.charAt(end) === '.';
  const forNumber = language.numberAbbreviations.get(key);
  if (forNumber !== undefined && hasDot && /^\.\s?\d/.test(text.slice(end, end + 3))) {
    return { end: end + 1, spoken: forNumber };
  }
  const title = language.titles.get(key);
  if (title !== undefined && !hasDot && /^\s\p{Lu}/u.test(text.slice(end, end + 3))) return { end, spoken: title };
  const full = language.abbreviations.get(key);
  if (full === undefined || !(hasDot || /[./-]/.test(written))) return null;
  return { end: hasDot ? end + 1 : end, spoken: hasDot ? withStop(full, text, end + 1) : full };
}

/** Keeps the dot of an abbreviation that also ends a sentence. */
function withStop(spoken: string, text: string, end: number): string {
  return /^["'”’)*_]{0,4}\s{0,8}$/.test(text.slice(end, end + 14)) ? `${spoken}.` : spoken;
}

function dottedCapitals({ text }: Reading, at: number): Said | null {
  const found = matchAt(initials, text, at)?.[0];
  if (found === undefined || isWordChar(text.charAt(at + found.length))) return null;
  const end = at + found.length;
  return { end, spoken: withStop(letters(found.replaceAll('.', '')), text, end) };
}

function acronym({ text, language }: Reading, at: number): Said | null {
  const found = matchAt(capitals, text, at);
  if (found === null) return null;
  const [whole, written = '', plural = ''] = found;
  const isSpelled = language.acronyms.has(written) || !(vowel.test(written) || unspelled.has(written));
  return isSpelled ? { end: at + whole.length, spoken: letters(written) + plural } : null;
}

function account(reading: Reading, at: number): Said | null {
  const { text } = reading;
  const iban = matchAt(accountNumber, text, at)?.[0];
  if (iban !== undefined && /\d/.test(iban.slice(4))) {
    const groups = iban.replaceAll(' ', '').match(/.{1,4}/g) ?? [];
    return { end: at + iban.length, spoken: groups.map((group) => pieces(group, reading)).join(', ') };
  }
  const found = matchAt(code, text, at);
  if (found === null) return null;
  const [whole, head = '', digits = ''] = found;
  return { end: at + whole.length, spoken: `${letters(head)}, ${inGroups(digits, reading)}` };
}

function pieces(group: string, { language }: Reading): string {
  return [...group].map((char) => (/\d/.test(char) ? (language.digits[Number(char)] ?? char) : char)).join(' ');
}

/** Returns the word before `at` in lower case. */
export function previousWord(text: string, at: number): string {
  let end = at;
  while (end > 0 && at - end < 3 && isSpace(text.charAt(end - 1))) end -= 1;
  if (text.charAt(end - 1) === '.') end -= 1;
  let start = end;
  while (start > 0 && end - start < 20 && isWordChar(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end).toLowerCase();
}

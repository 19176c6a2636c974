import { digitsEnd, isDigit } from '../../text/scan.ts';
import { digitByDigit, inGroups, letters, matchAt, type Reading, type Said } from './rule.ts';

const international = /\+\d{1,3}/y;
const moreDigits = /[ \u00a0\u202f.\-/]?(?:\((\d{1,4})\)|(\d{1,12})(?!\d))/y;
/** National trunk prefix in an international number, which is not dialed: "+31 (0)20". */
const trunkPrefix = /[ \u00a0\u202f]?\(0\)/y;
const national = /\(?(0\d{1,4})\)?(?=[ \u00a0\u202f\-/]\d)/y;
const americanMark = /[ \u00a0\u202f.-]/.source;
const areaCode = `(?:\\(\\d{3}\\)[ \\u00a0\\u202f]?|\\d{3}${americanMark})`;
const american = new RegExp(`(?:1${americanMark})?${areaCode}\\d{3}${americanMark}\\d{4}(?![\\d]|[-.]\\d)`, 'y');
/** National formats that contain no 0 as a trunk prefix before a space: French, Brazilian and Russian. */
const nationalFormats = [
  /0\d(?:\.\d{2}){4}(?![.,]?\d)/y,
  /\(\d{2}\)[ \u00a0\u202f]?\d{4,5}-\d{4}(?![-.]?\d)/y,
  /8[ \u00a0\u202f]?\(\d{3,5}\)[ \u00a0\u202f]?\d{1,3}-\d{2}-\d{2}(?![-.]?\d)/y,
];
const local = /(\d{3})-(\d{4})(?![\d]|[-.,]\d)/y;
const card = /\d{4}(?:[ \u00a0\u202f-]\d{4}){2,4}(?![\d-])/y;
const postalCode = /([1-9]\d{3})[ \u00a0\u202f]?([A-Z]{2})(?![\p{L}\d])/uy;
const chain = /\d{1,12}(?:-\d{1,12}){2,20}(?![\d\p{L}])/uy;
/** Digits of a complete international number; a group after them is another number. */
const wholeInternational = 11;
const wholeNational = 10;

/** Reads telephone numbers, card numbers and postal codes digit by digit, in the groups in which they are written. */
export function digitString(reading: Reading, at: number): Said | null {
  const first = reading.text.charAt(at);
  if (!isDigit(first) && !isDigit(reading.text.charAt(at + 1))) return null;
  if (first === '+' || first === '0' || first === '(') {
    const said = telephone(reading, at);
    if (said !== null || first === '+') return said;
  }
  const formatted = '0(8'.includes(first) ? formattedNumber(reading, at) : null;
  if (formatted !== null) return formatted;
  const length = digitsEnd(reading.text, at) - at;
  if (length === 4) return cardNumber(reading, at) ?? dutchPostalCode(reading, at);
  return length === 3 || first === '(' || first === '1' ? americanNumber(reading, at) : null;
}

/** Reads numbers joined by more than one hyphen (a sort code, a serial number), which are not a range. */
export function chained(reading: Reading, at: number): Said | null {
  const found = matchAt(chain, reading.text, at)?.[0];
  if (found === undefined) return null;
  const groups = found.split('-').map((group) => inGroups(group, reading));
  return { end: at + found.length, spoken: groups.join(', ') };
}

function telephone(reading: Reading, at: number): Said | null {
  const { text } = reading;
  const start = matchAt(international, text, at) ?? matchAt(national, text, at);
  if (start === null) return null;
  const isInternational = start[0].startsWith('+');
  const head = start[1] ?? start[0].slice(1);
  const whole = isInternational ? wholeInternational : wholeNational;
  const groups = [head];
  let end = at + start[0].length;
  if (isInternational) end += matchAt(trunkPrefix, text, end)?.[0].length ?? 0;
  let count = head.length;
  while (count < whole) {
    const more = matchAt(moreDigits, text, end);
    if (more === null) break;
    const group = more[1] ?? more[2] ?? '';
    if (count + group.length > 15) break;
    groups.push(group);
    count += group.length;
    end += more[0].length;
  }
  if (count < (isInternational ? 7 : 8)) return null;
  const plus = isInternational ? `${reading.language.signs.plus} ` : '';
  return { end, spoken: plus + groups.map((group) => inGroups(group, reading)).join(', ') };
}

function formattedNumber(reading: Reading, at: number): Said | null {
  for (const format of nationalFormats) {
    const written = matchAt(format, reading.text, at)?.[0];
    if (written === undefined) continue;
    const groups = written.match(/\d+/g) ?? [];
    return { end: at + written.length, spoken: groups.map((group) => digitByDigit(group, reading)).join(', ') };
  }
  return null;
}

function americanNumber(reading: Reading, at: number): Said | null {
  const found = matchAt(american, reading.text, at);
  if (found !== null) {
    const groups = found[0].match(/\d+/g) ?? [];
    return { end: at + found[0].length, spoken: groups.map((group) => digitByDigit(group, reading)).join(', ') };
  }
  const short = reading.language.numbers?.decimalMark === '.' ? matchAt(local, reading.text, at) : null;
  if (short === null) return null;
  const [whole, first = '', second = ''] = short;
  return { end: at + whole.length, spoken: `${digitByDigit(first, reading)}, ${digitByDigit(second, reading)}` };
}

function cardNumber(reading: Reading, at: number): Said | null {
  const found = matchAt(card, reading.text, at)?.[0];
  if (found === undefined) return null;
  const groups = found.split(/[ \u00a0\u202f-]/);
  return { end: at + found.length, spoken: groups.map((group) => digitByDigit(group, reading)).join(', ') };
}

function dutchPostalCode(reading: Reading, at: number): Said | null {
  if (reading.language.numbers?.decimalMark !== ',') return null;
  const found = matchAt(postalCode, reading.text, at);
  if (found === null) return null;
  const [whole, digits = '', area = ''] = found;
  return { end: at + whole.length, spoken: `${digitByDigit(digits, reading)} ${letters(area)}` };
}

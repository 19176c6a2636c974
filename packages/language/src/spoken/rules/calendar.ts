import type { CalendarDate } from '../../languages/spoken-language.ts';
import { digitsEnd, isSpace } from '../../text/scan.ts';
import { matchAt, type NumberReading, type Reading, type Said } from './rule.ts';

const iso = /(\d{4})-(\d{2})-(\d{2})(?![\d-])/y;
/** Time of day and offset after an ISO date (RFC 3339 §5.6), which may be separated by a space. */
const isoTime = /[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?(?![\p{L}\d:])/iuy;
const written = /(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d]|[-/.]\d)/y;
const clock = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\d:])/y;
const dotted = /(\d{1,2})[.](\d{2})(?![\d.,]\d|\d)(?=[ \u00a0\u202f]?(?:uur|u\b|[ap]\.?m\b))/iy;
const lettered = /(\d{1,2})[uh](\d{2})?(?![\p{L}\d])/uy;
const half = /[ \u00a0\u202f]?([ap])\.?m(?![\p{L}\d])(\.?)/iuy;
const hourOnly = /(\d{1,2})(?=[ \u00a0\u202f]?[ap]\.?m(?![\p{L}\d]))/iuy;
const clockWord = /[ \u00a0\u202f]?(\p{L}[\p{L}']{0,7})(?![\p{L}\d])/uy;
const dayFirstRegions = new Set(['GB', 'IE', 'AU', 'NZ', 'IN', 'ZA', 'SG', 'HK', 'MT', 'NL', 'BE', 'EU']);

export function date(reading: NumberReading, at: number): Said | null {
  const isYear = digitsEnd(reading.text, at) - at === 4;
  const found = isYear ? matchAt(iso, reading.text, at) : null;
  const exact = found === null ? null : valid(Number(found[1]), Number(found[2]), Number(found[3]));
  if (found !== null && exact !== null) return dateTime(exact, at + found[0].length, reading);
  const other = isYear ? null : matchAt(written, reading.text, at);
  if (other === null) return null;
  const [whole, first, mark, second, year = ''] = other;
  if (mark === '.' && year.length === 2) return null;
  const full = year.length === 2 ? 2_000 + Number(year) : Number(year);
  const dayFirst = valid(full, Number(second), Number(first));
  const monthFirst = valid(full, Number(first), Number(second));
  const isDayFirst = reading.numbers.decimalMark === ',' || dayFirstRegions.has(reading.region);
  const day = isDayFirst ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
  return day === null ? null : say(day, at + whole.length, reading);
}

function valid(year: number, month: number, day: number): CalendarDate | null {
  return year >= 1_000 && month >= 1 && month <= 12 && day >= 1 && day <= 31 ? { year, month, day } : null;
}

function say(day: CalendarDate, end: number, { numbers, region }: NumberReading): Said {
  return { end, spoken: numbers.date(day, region), isNumber: true };
}

function dateTime(day: CalendarDate, end: number, reading: NumberReading): Said {
  const { numbers } = reading;
  const clock = isoTimeAt(reading.text, end);
  if (clock === null) return say(day, end, reading);
  const said = numbers.time({ hour: clock.hour, minute: clock.minute, second: clock.second, half: null });
  const spoken = [numbers.date(day, reading.region), numbers.atTime, said];
  if (clock.offset !== null) spoken.push(...offsetWords(clock.offset, reading));
  return { end: clock.end, spoken: spoken.join(' '), isNumber: true };
}

/** Separates the parts of an ISO date-time for a synthesizer that reads numbers itself. */
export function plainDateTime({ text }: Reading, at: number): Said | null {
  const found = matchAt(iso, text, at);
  const clock = found === null ? null : isoTimeAt(text, at + found[0].length);
  if (found === null || clock === null) return null;
  const { hour, minute, second, offset } = clock;
  const parts = [hour, minute, ...(second === null || second === 0 ? [] : [second])];
  const said = [found[0], parts.map((part) => String(part).padStart(2, '0')).join(':')];
  if (offset !== null) said.push(offset.minutes === 0 ? 'U T C' : `U T C ${offset.written}`);
  return { end: clock.end, spoken: said.join(' ') };
}

/** Time of day after an ISO date. `offset` is null for a local time. */
interface IsoTime {
  readonly end: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number | null;
  readonly offset: UtcOffset | null;
}

interface UtcOffset {
  readonly written: string;
  /** Minutes ahead of UTC. */
  readonly minutes: number;
}

function isoTimeAt(text: string, at: number): IsoTime | null {
  const found = matchAt(isoTime, text, at);
  if (found === null) return null;
  const [whole, hour, minute, second, offset] = found;
  // After a space, "-11:00" behind hours and minutes is the end of a range of times.
  if (whole.startsWith(' ') && second === undefined) return null;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second ?? 0) > 60) return null;
  return {
    end: at + whole.length,
    hour: Number(hour),
    minute: Number(minute),
    second: second === undefined ? null : Number(second),
    offset: offset === undefined ? null : utcOffset(offset),
  };
}

function utcOffset(written: string): UtcOffset {
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(written) ?? [];
  return { written, minutes: (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) };
}

function offsetWords({ minutes }: UtcOffset, { numbers, language }: NumberReading): string[] {
  if (minutes === 0) return ['U T C'];
  const hour = Math.floor(Math.abs(minutes) / 60);
  const minute = Math.abs(minutes) % 60;
  const said = minute === 0 ? numbers.cardinal(hour) : numbers.time({ hour, minute, second: null, half: null });
  return ['U T C', minutes < 0 ? numbers.minus : language.signs.plus, said];
}

/** Matches an hour by the letter that follows it: "2 pm", "14u30". */
function hourAt(text: string, at: number, end: number, isDutch: boolean): RegExpExecArray | null {
  const letter = text.charAt(isSpace(text.charAt(end)) ? end + 1 : end);
  if (isDutch) return letter === 'u' || letter === 'h' ? matchAt(lettered, text, at) : null;
  return letter !== '' && 'apAP'.includes(letter) ? matchAt(hourOnly, text, at) : null;
}

export function time(reading: NumberReading, at: number): Said | null {
  const { text, numbers } = reading;
  const isDutch = numbers.clockWords.has('uur');
  const digits = digitsEnd(text, at);
  const next = text.charAt(digits);
  const found =
    next === ':'
      ? matchAt(clock, text, at)
      : next === '.'
        ? matchAt(dotted, text, at)
        : hourAt(text, at, digits, isDutch);
  if (found === null) return null;
  const [whole, hour, minute = '0', second] = found;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second ?? 0) > 59) return null;
  let end = at + whole.length;
  const letters = matchAt(half, text, end);
  if (letters !== null) end += letters[0].length;
  const following = matchAt(clockWord, text, end);
  if (letters === null && following !== null && numbers.clockWords.has(following[1] ?? '')) end += following[0].length;
  const spoken = numbers.time({
    hour: Number(hour),
    minute: Number(minute),
    second: second === undefined ? null : Number(second),
    half: letters === null ? null : letters[1]?.toLowerCase() === 'a' ? 'am' : 'pm',
  });
  const stop = letters?.[2] === '.' && text.slice(end, end + 4).trim() === '' ? '.' : '';
  return { end, spoken: spoken + stop, isNumber: true };
}

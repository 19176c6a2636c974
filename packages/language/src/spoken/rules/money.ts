import type { Currency } from '../../languages/spoken-language.ts';
import { isCapital, isDigit, isSpace } from '../../text/scan.ts';
import { figuresAt, goesOn, sayFigures, type WrittenNumber } from './figures.ts';
import { matchAt, type NumberReading, type Said } from './rule.ts';

const before =
  /(US\$|A\$|C\$|[€$£¥]|(?:EUR|USD|GBP|CHF|JPY)(?=[ \u00a0\u202f-]?[.,]?\d))[ \u00a0\u202f]?(-?)(?=[.,]?\d)/y;
const after = /[ \u00a0\u202f]?([€$£¥]|(?:EUR|USD|GBP|CHF|JPY|euro's|euros?|dollars?|pounds?|pond)(?![\p{L}\d]))/iuy;
const round = /,[-–—]{1,2}|\.[-–—]{1,2}/y;
const scale = /[ \u00a0\u202f](\p{L}{4,9})(?!\p{L})/uy;
const currencies: ReadonlyMap<string, Currency> = new Map([
  ['€', 'EUR'],
  ['eur', 'EUR'],
  ['euro', 'EUR'],
  ['euros', 'EUR'],
  ["euro's", 'EUR'],
  ['$', 'USD'],
  ['us$', 'USD'],
  ['a$', 'USD'],
  ['c$', 'USD'],
  ['usd', 'USD'],
  ['dollar', 'USD'],
  ['dollars', 'USD'],
  ['£', 'GBP'],
  ['gbp', 'GBP'],
  ['pound', 'GBP'],
  ['pounds', 'GBP'],
  ['pond', 'GBP'],
  ['¥', 'JPY'],
  ['jpy', 'JPY'],
  ['chf', 'CHF'],
]);

/** Reads an amount whose currency stands before it. */
export function moneyBefore(reading: NumberReading, at: number): Said | null {
  const next = reading.text.charAt(at + 1);
  if (!(isDigit(next) || isSpace(next) || '-.,$'.includes(next) || isCapital(next))) return null;
  const found = matchAt(before, reading.text, at);
  const currency = currencies.get(found?.[1]?.toLowerCase() ?? '');
  if (found === null || currency === undefined) return null;
  const amount = figuresAt(reading.text, at + found[0].length, reading.numbers);
  if (amount === null) return null;
  const end = amount.end + (matchAt(round, reading.text, amount.end)?.[0].length ?? 0);
  if (goesOn(reading.text, end)) return null;
  const minus = found[2] === '-' ? `${reading.numbers.minus} ` : '';
  const scaled = matchAt(scale, reading.text, end);
  if (scaled !== null && reading.numbers.scales.has(scaled[1]?.toLowerCase() ?? '')) {
    const [, plural] = reading.numbers.currency(currency);
    const spoken = `${sayFigures(amount, reading, reading.numbers)} ${scaled[1]} ${plural}`;
    return { end: end + scaled[0].length, spoken: minus + spoken, isNumber: true };
  }
  return { end, spoken: minus + sayMoney(amount, currency, reading), isNumber: true };
}

/** Reads an amount whose currency stands after it. */
export function moneyAfter(amount: WrittenNumber, reading: NumberReading): Said | null {
  const dashed = amount.end + (matchAt(round, reading.text, amount.end)?.[0].length ?? 0);
  const found = matchAt(after, reading.text, dashed);
  const currency = currencies.get(found?.[1]?.toLowerCase() ?? '');
  if (found === null || currency === undefined) return null;
  const end = dashed + found[0].length;
  return { end, spoken: sayMoney(amount, currency, reading), isNumber: true };
}

function sayMoney(amount: WrittenNumber, currency: Currency, reading: NumberReading): string {
  const { numbers } = reading;
  const whole = Number(amount.whole);
  if (amount.decimals.length > 2 || whole > 1e15) {
    return `${sayFigures(amount, reading, numbers)} ${numbers.currency(currency)[1]}`;
  }
  return numbers.money({ whole, cents: Number(amount.decimals.padEnd(2, '0')), currency });
}

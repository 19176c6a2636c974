import { toCardinal } from 'n2words/nl-NL';

const irregular: ReadonlyMap<number, string> = new Map([
  [0, 'nulde'],
  [1, 'eerste'],
  [2, 'tweede'],
  [3, 'derde'],
  [4, 'vierde'],
  [5, 'vijfde'],
  [6, 'zesde'],
  [7, 'zevende'],
  [8, 'achtste'],
  [9, 'negende'],
  [10, 'tiende'],
  [11, 'elfde'],
  [12, 'twaalfde'],
]);

/** Omits accents, which synthesizers do not need, and does not count in hundreds above a thousand, as `year` does. */
const options = { accentOne: false, noHundredPairing: true };

/** Returns a whole number in Dutch: one word below a thousand, with a space after "duizend". */
export function cardinal(value: number): string {
  return toCardinal(value, options);
}

export function ordinal(value: number): string {
  const last = value % 100;
  const known = irregular.get(last);
  if (known !== undefined && (value < 100 || last > 0)) {
    return value < 100 ? known : cardinal(value - last) + (value % 1_000 === last ? ' ' : '') + known;
  }
  return `${cardinal(value)}${last >= 13 && last <= 19 ? 'de' : 'ste'}`;
}

/** Returns a year. Years of the previous millennium are counted in hundreds. */
export function year(value: number): string {
  if (value < 1_100 || value >= 2_000) return cardinal(value);
  const rest = value % 100;
  return `${cardinal(Math.floor(value / 100))}honderd${rest === 0 ? '' : cardinal(rest)}`;
}

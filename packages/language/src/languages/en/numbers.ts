import { toCardinal } from 'n2words/en-GB';

const irregular: ReadonlyMap<string, string> = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
]);

/** Returns a whole number in English words, with "and" before the tens ("one hundred and four"). */
export function cardinal(value: number): string {
  return toCardinal(value);
}

export function ordinal(value: number): string {
  const said = cardinal(value);
  const at = Math.max(said.lastIndexOf(' '), said.lastIndexOf('-')) + 1;
  const last = said.slice(at);
  const turned = irregular.get(last) ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return said.slice(0, at) + turned;
}

/** Returns a year in two halves ("nineteen ninety-eight"), except the first ten years of a millennium from 2000 on. */
export function year(value: number): string {
  const century = Math.floor(value / 100);
  const rest = value % 100;
  if (value < 1_100 || value > 9_999 || (value % 1_000 < 10 && value >= 2_000)) return cardinal(value);
  if (rest === 0) return `${cardinal(century)} hundred`;
  return `${cardinal(century)} ${rest < 10 ? `oh ${cardinal(rest)}` : cardinal(rest)}`;
}

/** Returns a decade given by its first year, with or without the century ("nineteen nineties", "eighties"). */
export function decade(firstYear: number): string {
  const said = year(firstYear);
  return said.endsWith('y') ? `${said.slice(0, -1)}ies` : `${said}s`;
}

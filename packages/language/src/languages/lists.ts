import type { Plural, Signs } from './spoken-language.ts';

/** Splits a comma-separated list. Entries are trimmed, so a list may span lines. */
export function entries(list: string): readonly string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

export function setOf(list: string): ReadonlySet<string> {
  return new Set(entries(list));
}

/** Maps number words to the count of digits that they stand for. */
export function digitCounts(one: string, two: string): ReadonlyMap<string, number> {
  return new Map([
    ...entries(one).map((word): [string, number] => [word, 1]),
    ...entries(two).map((word): [string, number] => [word, 2]),
  ]);
}

export function pairs(list: string): ReadonlyMap<string, string> {
  return new Map(
    list.split(';').map((pair): [string, string] => {
      const [written = '', said = ''] = pair.split('=');
      return [written.trim(), said.trim()];
    }),
  );
}

export function plurals(list: string): ReadonlyMap<string, Plural> {
  return new Map(
    [...pairs(list)].map(([unit, said]): [string, Plural] => {
      const [one = '', many = one] = said.split('|');
      return [unit, [one.trim(), many.trim()]];
    }),
  );
}

/** Parses the words of all signs, in the order of the fields of `Signs`. */
export function signsOf(list: string): Signs {
  const [
    and = '',
    or = '',
    at = '',
    atSign = '',
    dot = '',
    slash = '',
    dash = '',
    underscore = '',
    plus = '',
    percent = '',
    number = '',
    paragraph = '',
    equals = '',
    times = '',
    degrees = '',
    celsius = '',
    fahrenheit = '',
    hashtag = '',
    about = '',
  ] = entries(list);
  return {
    and,
    or,
    at,
    atSign,
    dot,
    slash,
    dash,
    underscore,
    plus,
    percent,
    number,
    paragraph,
    equals,
    times,
    degrees,
    celsius,
    fahrenheit,
    hashtag,
    about,
  };
}

/** Returns "press 1", "press one" and so on for every verb and key of a menu. */
export function keyPhrases(verbs: readonly string[], keys: readonly string[]): string[] {
  const digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
  return verbs.flatMap((verb) => [...keys, ...digits].map((key) => `${verb} ${key}`));
}

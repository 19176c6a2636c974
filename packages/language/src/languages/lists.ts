import type { Plural, Signs } from './spoken-language.ts';

/** The entries of a list that is written with commas. */
export function entries(list: string): readonly string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

export function setOf(list: string): ReadonlySet<string> {
  return new Set(entries(list));
}

/** Number words by the count of digits they stand for. */
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

/** The words of all signs, in the order in which `Signs` declares them. */
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
    hashtag,
    about,
  };
}

/** "press 1", "press one" … for each key that a menu offers. */
export function keyPhrases(verbs: readonly string[], keys: readonly string[]): string[] {
  const digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
  return verbs.flatMap((verb) => [...keys, ...digits].map((key) => `${verb} ${key}`));
}

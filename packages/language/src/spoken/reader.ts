import { regionOf, spokenLanguageOf } from '../languages/language-of.ts';
import { isCapital, isDigit, isWordChar } from '../text/scan.ts';
import type { Pronunciation } from './pronunciation.ts';
import { pronunciationsIn } from './pronunciations.ts';
import { address, withoutUserInfo } from './rules/addresses.ts';
import { emoji } from './rules/emoji.ts';
import { markdown } from './rules/markdown.ts';
import { number } from './rules/numbers.ts';
import type { Reading, Said } from './rules/rule.ts';
import { sign } from './rules/signs.ts';
import { word } from './rules/words.ts';

/** Returns the replacement of the text at `at`, or null to keep it. `numberEnd` is where the last number ended. */
type SayAt = (at: number, numberEnd: number) => Said | null;

/** First code unit of emoji. Lower ones are letters, digits and signs with rules of their own. */
const firstEmoji = 0x20e3;

/**
 * Returns a function that replaces parts of a text for the synthesizer: by the pronunciations, else by the rules of the
 * language.
 */
export function reader(
  text: string,
  options: {
    readonly language: string | undefined;
    readonly normalize: boolean;
    readonly pronunciations: readonly Pronunciation[];
  },
): SayAt {
  const pronounced = pronunciationsIn(text, options.pronunciations);
  if (!options.normalize) return (at) => pronounced?.(at) ?? null;
  const language = spokenLanguageOf(options.language);
  const reading =
    language === null ? null : { text, language, region: regionOf(options.language), numbers: language.numbers };
  return (at, numberEnd) => {
    const own = pronounced?.(at) ?? null;
    const found = reading === null || !isWordChar(text.charAt(at)) ? null : address(reading, at);
    // An address wins over a pronunciation of a name inside it.
    if (own !== null && (found === null || own.end >= found.end)) return own;
    return found ?? (reading === null ? (withoutUserInfo(text, at) ?? mark(text, at)) : ruled(reading, at, numberEnd));
  };
}

function ruled(reading: Reading, at: number, numberEnd: number): Said | null {
  const { text } = reading;
  const char = text.charAt(at);
  if (isWordChar(char)) {
    if (isWordChar(text.charAt(at - 1)) && numberEnd !== at) return null;
    if (isDigit(char)) return number(reading, at);
    return fractionSign(reading, at) ?? (isCapital(char) ? number(reading, at) : null) ?? word(reading, at);
  }
  return mark(text, at) ?? ('+($€£¥.,'.includes(char) ? number(reading, at) : null) ?? sign(reading, at, numberEnd);
}

function mark(text: string, at: number): Said | null {
  return markdown(text, at) ?? (text.charCodeAt(at) >= firstEmoji ? emoji(text, at) : null);
}

function fractionSign({ text, language }: Reading, at: number): Said | null {
  const spoken = text.charCodeAt(at) < 0xbc ? undefined : language.numbers?.fractions.get(text.charAt(at));
  if (spoken === undefined) return null;
  const after = isWordChar(text.charAt(at + 1)) ? ' ' : '';
  const before = isDigit(text.charAt(at - 1)) ? ` ${language.signs.and} ` : '';
  return { end: at + 1, spoken: before + spoken + after, isNumber: true };
}

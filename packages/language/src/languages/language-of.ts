import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import type { Language } from './language.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import type { SpokenLanguage } from './spoken-language.ts';

/** All languages of the package, by primary subtag. */
const languages: ReadonlyMap<string, Language> = new Map(
  [en, nl, de, fr, es, it, pt, ru].map((each) => [each.tag, each]),
);
/** Tags that name no particular language. */
const unspecific = new Set(['', 'und', 'mul', 'multi', 'auto']);

/** Returns the words of a language, or those of English for an unknown language. */
export function languageOf(tag: string | undefined): Language {
  return (tag === undefined ? undefined : languages.get(primarySubtag(tag))) ?? en;
}

/**
 * Returns the words for reading text aloud in a language: English without a tag, null for an unknown language. English
 * number words in a text of another language would be worse than the digits, which its synthesizer reads itself.
 */
export function spokenLanguageOf(tag: string | undefined): SpokenLanguage | null {
  const primary = tag === undefined ? '' : primarySubtag(tag);
  return languages.get(primary)?.spoken ?? (unspecific.has(primary) ? en.spoken : null);
}

/** Returns the primary subtag of a BCP 47 tag in lower case: `nl` for `nl-NL`. */
function primarySubtag(tag: string): string {
  return (tag.split(/[-_]/, 1)[0] ?? '').toLowerCase();
}

/** Returns the region of a BCP 47 tag in upper case: `GB` for `en-GB`, '' without a region. */
export function regionOf(tag: string | undefined): string {
  return /[-_]([a-z]{2})(?:$|[-_])/i.exec(tag ?? '')?.[1]?.toUpperCase() ?? '';
}

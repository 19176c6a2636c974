import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { Language } from './language.ts';
import { nl } from './nl.ts';

const languages: ReadonlyMap<string, Language> = new Map([en, nl, de, fr, es].map((each) => [each.tag, each]));

/** The primary subtag of a BCP 47 tag: `nl` of `nl-NL`. */
export function primarySubtag(tag: string): string {
  return (tag.split(/[-_]/, 1)[0] ?? '').toLowerCase();
}

/** The words of a language; of one that is not known, English. */
export function languageOf(tag: string | undefined): Language {
  return (tag === undefined ? undefined : languages.get(primarySubtag(tag))) ?? en;
}

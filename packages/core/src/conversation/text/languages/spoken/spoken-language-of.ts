import { primarySubtag } from '../language-of.ts';
import { en } from './en.ts';
import { nl } from './nl.ts';
import { de, es, fr } from './others.ts';
import type { SpokenLanguage } from './spoken-language.ts';

const languages: ReadonlyMap<string, SpokenLanguage> = new Map(Object.entries({ en, nl, de, fr, es }));
/** Tags that name no language. */
const anyLanguage = new Set(['', 'und', 'mul', 'multi', 'auto']);

/**
 * How a text is said; without a language, in English. Null for a language that is not known: its figures in English
 * words would be worse than what its synthesizer makes of them.
 */
export function spokenLanguageOf(tag: string | undefined): SpokenLanguage | null {
  const primary = tag === undefined ? '' : primarySubtag(tag);
  return languages.get(primary) ?? (anyLanguage.has(primary) ? en : null);
}

/** The region of a tag, in capitals: `GB` of `en-GB`; '' without one. */
export function regionOf(tag: string | undefined): string {
  return /[-_]([a-z]{2})(?:$|[-_])/i.exec(tag ?? '')?.[1]?.toUpperCase() ?? '';
}

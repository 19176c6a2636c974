import type { Language } from '../languages/language.ts';
import { languageOf } from '../languages/language-of.ts';
import { wordsOf } from '../text/words.ts';

/** Sounds of a listener that are the same in every language. */
const sounds = [
  'hm',
  'hmm',
  'mm',
  'mhm',
  'mmhm',
  'mmhmm',
  'hmhm',
  'uhhuh',
  'uh huh',
  'mm hmm',
  'mm hm',
  'ah',
  'aha',
  'oh',
  'ooh',
  'o',
  'ok',
  'okay',
  'oké',
  'oke',
  'okey',
  'okido',
];
/** Sounds of refusal, which differ from sounds of listening only by the break: "mm-mm", "uh-uh". */
const refusal = /^(?:m+-m+|n?uh-uh|nuh-uh)$/;
const mostWords = 4;

/**
 * Returns true if a text only shows that the caller listens: nothing but words such as "uh-huh", "okay" or "precies",
 * in any spelling, with letters drawn out or repeated. A question is never a backchannel.
 *
 * @param language BCP 47 tag.
 * @param more Additional words and phrases that count as backchannels.
 */
export function isBackchannel(text: string, language: string | undefined, more: readonly string[]): boolean {
  if (/[?？]/.test(text)) return false;
  const words = wordsOf(text);
  if (words.length === 0 || new Set(words).size > mostWords) return false;
  const known = listeningPhrases(languageOf(language));
  const own = more.length === 0 ? null : bookOf(more);
  return coveredBy(words, (word) => (own === null ? known(word) : known(word) || own(word)));
}

/**
 * Returns true if a text is hardly more than an answer to a yes-or-no question ("yeah", "ja hoor", "no thanks"). After
 * such a question, a word that is otherwise a backchannel is the answer.
 */
export function answersQuestion(text: string, language: string | undefined): boolean {
  if (/[?？]/.test(text)) return false;
  const words = wordsOf(text);
  if (words.length === 0 || new Set(words).size > mostWords + 1) return false;
  if (words.some((word) => refusal.test(word))) return words.length === 1;
  const answer = answerPhrases(languageOf(language));
  const beside = softenerPhrases(languageOf(language));
  let answers = false;
  const covered = coveredBy(words, (phrase) => {
    if (!answer(phrase)) return beside(phrase);
    answers = true;
    return true;
  });
  return covered && answers;
}

type PhraseTest = (phrase: string) => boolean;

const listeningPhrases = perLanguage(({ listening }) => phraseBook([...sounds, ...listening.backchannels]));
const softenerPhrases = perLanguage(({ listening }) =>
  phraseBook([...sounds, ...listening.backchannels, ...listening.softeners]),
);
const answerPhrases = perLanguage(({ listening }) => phraseBook(listening.answers));

/** Tests for additional phrases, by the array of phrases, which is the same object throughout a phone call. */
const ownBooks = new WeakMap<readonly string[], PhraseTest>();

function bookOf(phrases: readonly string[]): PhraseTest {
  const book = ownBooks.get(phrases) ?? phraseBook(phrases);
  ownBooks.set(phrases, book);
  return book;
}

function perLanguage(make: (language: Language) => PhraseTest): (language: Language) => PhraseTest {
  const made = new Map<string, PhraseTest>();
  return (language) => {
    const test = made.get(language.tag) ?? make(language);
    made.set(language.tag, test);
    return test;
  };
}

/**
 * Returns true if the words are a sequence of known phrases and none is a sound of refusal, such as "mm-mm". The
 * longest phrase is tried first.
 */
function coveredBy(words: readonly string[], has: PhraseTest): boolean {
  let at = 0;
  while (at < words.length) {
    if (refusal.test(words[at] ?? '')) return false;
    let length = Math.min(mostWords, words.length - at);
    while (length > 0 && !has(words.slice(at, at + length).join(' '))) length -= 1;
    if (length === 0) return false;
    at += length;
  }
  return true;
}

/** Returns a test for phrases that also accepts drawn-out letters: "yeaaah", "mmmm". */
function phraseBook(phrases: readonly string[]): PhraseTest {
  const byShape = new Map<string, string[]>();
  for (const phrase of phrases) {
    const folded = wordsOf(phrase).join(' ').replaceAll('-', '');
    const shape = shapeOf(folded);
    byShape.set(shape, [...(byShape.get(shape) ?? []), folded]);
  }
  return (phrase) => {
    const folded = phrase.replaceAll('-', '');
    return (byShape.get(shapeOf(folded)) ?? []).some((known) => isStretched(folded, known));
  };
}

/** Returns the word with each run of the same letter shortened to one letter. */
function shapeOf(word: string): string {
  return word.replace(/(.)\1+/gu, '$1');
}

/** Returns true if `word` is `known`, possibly with letters drawn out. Both must have the same `shapeOf`. */
function isStretched(word: string, known: string): boolean {
  if (word === known) return true;
  const long = runLengths(word);
  return runLengths(known).every((run, i) => (long[i] ?? 0) >= run);
}

function runLengths(word: string): number[] {
  return (word.match(/(.)\1*/gu) ?? []).map((run) => run.length);
}

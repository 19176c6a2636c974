import { Random, Weighted } from './random.ts';

const wordCount = 30_000;

/** The most frequent words, in order. */
const frequent =
  'the you to a i and is it that of for in we have on can at do what not are be my your this so yes will with me no ' +
  'there just like about know okay one would from call time get name if all out here up how please number or thank ' +
  'right day need they some look sorry when think was table want could good tomorrow let an today see help but ' +
  'evening appointment order people book check really back two address phone moment any great morning o clock ' +
  'delivery invoice problem hello after week minutes open before change account cancel office service where send ' +
  'then question';

const onsets = 'b br c ch d dr f fl g gr h j k l m n p pr qu r s sh st t tr v w z'.split(' ');
const vowels = 'a e i o u ai ea ou'.split(' ');
const codas = ['', 'n', 'r', 'l', 's', 'nd', 'rt', 'm', 'ck'];

/** The words of the transcripts, the most frequent first. */
export const vocabulary: readonly string[] = makeVocabulary();

/** Picks words as people use them: the n-th most frequent word is said 1/n times as often as the first (Zipf's law). */
export const spokenWords: Weighted<string> = new Weighted(vocabulary.map((word, at) => [word, 1 / (at + 1)]));

function makeVocabulary(): string[] {
  const random = new Random(7);
  const of = (parts: readonly string[]): string => parts[random.integer(0, parts.length - 1)] ?? '';
  const words = new Set(frequent.split(' '));
  while (words.size < wordCount) {
    const syllables = random.integer(2, 3);
    words.add(Array.from({ length: syllables }, () => of(onsets) + of(vowels) + of(codas)).join(''));
  }
  return [...words];
}

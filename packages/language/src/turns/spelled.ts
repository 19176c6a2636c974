import type { SpellingWords } from '../languages/language.ts';

/** Digits, letters and marks at the end of a turn. */
export interface Spelled {
  /** Pieces in spoken order. */
  readonly pieces: readonly SpelledPiece[];
  readonly digits: number;
  /** Number of words at the end of the text that belong to it. */
  readonly words: number;
}

type SpelledPiece = 'digit' | 'letter' | 'mark' | 'double';

const postalCode = /(?:^|\s)[1-9]\d{3} ?[a-z]{2}$/;
const britishPostalCode = /(?:^|\s)[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/;
const address = /@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){0,4}\.\p{L}{2,24}$/u;
const topLevels = new Set(
  'com net org nl be de eu co uk fr es it pt br ru at ch info io me nu app dev biz us ie'.split(' '),
);
/** Digits of a national number without its trunk prefix; some have one less. */
const phoneDigits = 10;

/** Returns the digits, letters and marks at the end of the words. */
export function spelledTail(words: readonly string[], spelling: SpellingWords): Spelled {
  const pieces: SpelledPiece[] = [];
  let digits = 0;
  let count = 0;
  let doubles = 0;
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const piece = pieceOf(words[at] ?? '', words[at + 1], spelling);
    if (piece === null) break;
    if (piece.kind === 'double') doubles += 1;
    pieces.unshift(piece.kind);
    digits += piece.digits;
    count += 1;
  }
  return { pieces, digits: digits + doubles, words: count };
}

function pieceOf(
  word: string,
  next: string | undefined,
  spelling: SpellingWords,
): { kind: SpelledPiece; digits: number } | null {
  const bare = word.replace(/[-./+()]/g, '');
  if (/^\d{1,20}$/.test(bare)) return { kind: 'digit', digits: bare.length };
  const count = spelling.numbers.get(word);
  if (count !== undefined) {
    const completed = spelling.tens.has(word) && next !== undefined && spelling.numbers.get(next) === 1;
    return { kind: 'digit', digits: completed ? 1 : count };
  }
  if (/^\p{L}$/u.test(word)) return { kind: 'letter', digits: 0 };
  if (/^\p{L}(?:[-.]\p{L}){1,30}$/u.test(word)) return { kind: 'letter', digits: 0 };
  if (spelling.doubles.has(word)) return { kind: 'double', digits: 0 };
  return spelling.marks.has(word) ? { kind: 'mark', digits: 0 } : null;
}

/** Returns true if the text ends in a complete code of known length: a postal code or a telephone number. */
export function isWholeCode(words: readonly string[], spelled: Spelled): boolean {
  const tail = words.slice(-4).join(' ');
  if (postalCode.test(tail) || britishPostalCode.test(tail)) return true;
  if (spelled.pieces.every((piece) => piece === 'digit' || piece === 'double' || piece === 'mark')) {
    return spelled.digits >= phoneDigits;
  }
  const letters = spelled.pieces.filter((piece) => piece === 'letter').length;
  return spelled.digits === 4 && letters === 2 && spelled.pieces.slice(-2).every((piece) => piece === 'letter');
}

/** Returns `whole` if the text ends in a complete e-mail address, `part` if it ends in an incomplete one, else null. */
export function addressTail(words: readonly string[], spelling: SpellingWords): 'whole' | 'part' | null {
  const last = words.at(-1) ?? '';
  if (address.test(last)) return 'whole';
  if (last.includes('@')) return 'part';
  const from = Math.max(0, words.length - 12);
  const announced = words.some((word) => spelling.emailCues.has(word));
  for (let at = words.length - 1; at >= from; at -= 1) {
    const word = words[at] ?? '';
    const isWritten = word.includes('@');
    if (!isWritten && !spelling.at.has(word)) continue;
    const after = words.slice(at + 1);
    const dot = after.findLastIndex((each) => spelling.dot.has(each));
    if (dot >= 0) return topLevels.has(after.slice(dot + 1).join('')) ? 'whole' : 'part';
    // "at" alone is usually the preposition.
    const certain = isWritten || (word.length > 2 && word !== 'arroba');
    return (certain || announced) && after.length <= 2 ? 'part' : null;
  }
  return null;
}

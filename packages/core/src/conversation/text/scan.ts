/** Steps over a text that each look at a bounded part of it. */

const letterOrDigit = /[\p{L}\p{N}]/u;

export function isSpace(char: string): boolean {
  return char !== '' && char.trim() === '';
}

export function isWordChar(char: string): boolean {
  if (char === '') return false;
  const code = char.charCodeAt(0);
  if (code < 128) return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return letterOrDigit.test(char);
}

export function isDigit(char: string): boolean {
  return char >= '0' && char <= '9' && char.length === 1;
}

/** Past the spaces at `at`, and at most one line break: what stands after that is the next line. */
export function skipSpaces(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charAt(next))) {
    next += 1;
    if (text.charAt(next - 1) === '\n') break;
  }
  return next;
}

/** The word that ends before `end`, without its opening marks; '' for one longer than `longest`. */
export function wordBefore(text: string, end: number, from: number, longest = 24): string {
  let start = end;
  while (start > from && !isSpace(text.charAt(start - 1))) {
    start -= 1;
    if (end - start > longest) return '';
  }
  return text.slice(start, end).replace(/^["'“„«([*_]+/, '');
}

/** Scanners. Each examines a bounded part of the text, so that no text takes quadratic time. */

const letterOrDigit = /[\p{L}\p{N}]/u;

export function isSpace(char: string): boolean {
  const code = char.charCodeAt(0);
  if (code < 0xa0) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x2000) return code === 0xa0 || code === 0x1680;
  return (
    code <= 0x200a ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** Returns the index after the letters and digits at `at`. */
export function wordEnd(text: string, at: number): number {
  let end = at;
  while (isWordChar(text.charAt(end))) end += 1;
  return end;
}

export function isCapital(char: string): boolean {
  return char >= 'A' && char <= 'Z';
}

export function isWordChar(char: string): boolean {
  if (char === '') return false;
  const code = char.charCodeAt(0);
  if (code < 128) return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  // Fast exit for punctuation and currency signs, which are frequent.
  if (code < 0xaa || (code >= 0x2000 && code < 0x2070) || (code >= 0x20a0 && code < 0x20d0)) return false;
  return letterOrDigit.test(char);
}

export function isDigit(char: string): boolean {
  return char >= '0' && char <= '9' && char.length === 1;
}

export function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charAt(end)) && end - at < 50) end += 1;
  return end;
}

/** Returns the index after the spaces at `at` and at most one line break. */
export function skipSpaces(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charAt(next))) {
    next += 1;
    if (text.charAt(next - 1) === '\n') break;
  }
  return next;
}

/** Returns the word that ends before `end` without its opening marks, or '' if it is longer than `longest`. */
export function wordBefore(text: string, end: number, from: number, longest = 24): string {
  let start = end;
  while (start > from && !isSpace(text.charAt(start - 1))) {
    start -= 1;
    if (end - start > longest) return '';
  }
  return text.slice(start, end).replace(/^["'“„«([*_]+/, '');
}

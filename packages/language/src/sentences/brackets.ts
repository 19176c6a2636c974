import { isSpace } from '../text/scan.ts';

const closeOf: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['(', ')'],
  ['[', ']'],
  ['`', '`'],
]);
/** One that is not closed within so many characters is taken for a slip, or for something else than a quotation. */
const longestQuotation = 120;

/**
 * Where the quotation or bracket closes that opens at `at`: `open` while that may still come, null where none opens or
 * where it never closes.
 */
export function matchingClose(text: string, at: number): number | 'open' | null {
  const close = closeOf.get(text.charAt(at));
  if (close === undefined) return null;
  const before = text.charAt(at - 1);
  if (before !== '' && !isSpace(before) && !'([]"“*_'.includes(before)) return null;
  const within = text.slice(at + 1, at + longestQuotation);
  const end = within.indexOf(close);
  const line = within.indexOf('\n');
  if (end === 0 || (line >= 0 && (end < 0 || line < end))) return null;
  if (end > 0) return at + 1 + end;
  return within.length < longestQuotation - 1 ? 'open' : null;
}

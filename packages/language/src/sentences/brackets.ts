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
/** Quotations that do not close within this many characters are not treated as quotations. */
const longestQuotation = 120;

/**
 * Returns the index where the quotation or bracket at `at` closes, `open` if the closing mark may still arrive, or null
 * if none opens here or it never closes.
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

/**
 * Splits a text into parts of at most `maxLength` UTF-16 code units: after a space if possible, else between two code
 * points. The parts keep all spaces.
 */
export function splitText(text: string, maxLength: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > maxLength) {
    const end = partLength(rest, maxLength);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest === '' ? parts : [...parts, rest];
}

function partLength(text: string, maxLength: number): number {
  const space = text.lastIndexOf(' ', maxLength - 1);
  if (space > 0) return space + 1;
  const isSplitPair = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff;
  return isSplitPair && maxLength > 1 ? maxLength - 1 : maxLength;
}

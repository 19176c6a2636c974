/** A sentence's end: its mark, closing quotes, and the space that shows that the number or abbreviation is over. */
const sentenceEnd = /[.!?…]+["'”’)]*\s+/g;
const clauseEnd = /[,;:]\s+/g;
/** A first clause shorter than this sounds cut off from the rest of its sentence. */
const minFirstClauseLength = 24;

/**
 * Cuts what can be spoken off the front of a growing text. Whole sentences always can; the first piece of a reply may
 * also end at a comma, so that the agent starts to speak sooner.
 */
export function takeClauses(text: string, first: boolean): { clauses: string[]; rest: string } {
  const clauses: string[] = [];
  let start = 0;
  for (const end of text.matchAll(sentenceEnd)) {
    const stop = end.index + end[0].length;
    clauses.push(text.slice(start, stop).trim());
    start = stop;
  }
  if (first && clauses.length === 0) {
    const comma = [...text.matchAll(clauseEnd)].find((each) => each.index >= minFirstClauseLength);
    if (comma !== undefined) {
      start = comma.index + comma[0].length;
      clauses.push(text.slice(0, start).trim());
    }
  }
  return { clauses: clauses.filter((clause) => clause !== ''), rest: text.slice(start) };
}

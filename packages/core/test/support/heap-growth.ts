/** So many passes in a row decide. */
const passes = 5;

/**
 * By how many bytes the heap grows with each piece of work, of which `pass` does `pieces`: the median of several
 * passes. Code takes memory for each number until it has been compiled, which a busy machine does late: passes are made
 * until their median is less than `enough` a piece, for 10 s at most.
 */
export function heapGrowth(pass: () => void, pieces: number, enough: number): number {
  const grown: number[] = [];
  const median = (): number => grown.toSorted((a, b) => a - b)[Math.floor(passes / 2)] ?? Number.POSITIVE_INFINITY;
  const isDone = (): boolean => grown.length === passes && median() < enough;
  for (const end = performance.now() + 10_000; !isDone() && performance.now() < end; ) {
    const before = process.memoryUsage().heapUsed;
    pass();
    const bytes = process.memoryUsage().heapUsed - before;
    // Less than before: the collector ran.
    if (bytes < 0) continue;
    grown.push(bytes / pieces);
    if (grown.length > passes) grown.shift();
  }
  return median();
}

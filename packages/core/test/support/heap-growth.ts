/**
 * By how many bytes the heap grows with each piece of work, of which `pass` does `pieces`: the least of many passes.
 * Whatever else the process does grows it, too, and code takes memory for each number until it has been compiled, which
 * a busy machine does late: passes are made until one grows the heap by less than `enough` a piece, for 10 s at most.
 */
export function heapGrowth(pass: () => void, pieces: number, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const end = performance.now() + 10_000; least >= enough && performance.now() < end; ) {
    const before = process.memoryUsage().heapUsed;
    pass();
    const grown = process.memoryUsage().heapUsed - before;
    // Less than before: the collector ran.
    if (grown >= 0) least = Math.min(least, grown / pieces);
  }
  return least;
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sourceProgram } from '@va/test-servers/programs';

/** Consecutive passes for the median. */
const passes = 5;

/**
 * Returns the bytes by which the heap grows per item, of which `pass` processes `items`: the median of several passes.
 * Code that is not compiled yet allocates a heap number for each double, and a busy machine compiles late: passes are
 * repeated until their median is below `limit`, for 10 s at most.
 */
export function heapGrowth(pass: () => void, items: number, limit: number): number {
  const growths: number[] = [];
  const median = (): number => growths.toSorted((a, b) => a - b)[Math.floor(passes / 2)] ?? Number.POSITIVE_INFINITY;
  const isDone = (): boolean => growths.length === passes && median() < limit;
  for (const end = performance.now() + 10_000; !isDone() && performance.now() < end; ) {
    const before = process.memoryUsage().heapUsed;
    pass();
    const bytes = process.memoryUsage().heapUsed - before;
    // A smaller heap than before means that the garbage collector ran.
    if (bytes < 0) continue;
    growths.push(bytes / items);
    if (growths.length > passes) growths.shift();
  }
  return median();
}

/**
 * Runs a script of `test/heap/` in a process of its own and returns the number that it prints. In a process shared with
 * other tests, their use of the same functions decides how those are compiled.
 */
export async function measuredAlone(script: string): Promise<number> {
  const program = await sourceProgram(new URL(`../heap/${script}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  return Number.parseFloat(stdout);
}

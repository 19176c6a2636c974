import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel counts in, on every Linux that Node runs on. */
const tickMs = 10;

export interface ThreadShare {
  readonly thread: string;
  /** Of one processor. */
  readonly corePct: number;
}

/** The processor time of each thread of a process so far, in milliseconds (Linux). */
export function threadTimes(pid: number): Map<number, number> {
  return new Map(statsOf(pid).map(({ id, fields }) => [id, (Number(fields[11]) + Number(fields[12])) * tickMs]));
}

/**
 * Has the thread of the media run on the first processor, and all others of the process on the second: some systems put
 * threads together as long as one processor can take them, and the media would wait for the others.
 */
export function giveMediaItsProcessor(pid: number): void {
  for (const { id, fields } of statsOf(pid)) {
    // The media's thread has given itself a better priority than the rest.
    const isMedia = Number(fields[16]) < 0;
    execFileSync('taskset', ['-pc', isMedia ? '0' : '1', String(id)], { stdio: 'ignore' });
  }
}

/** What the kernel says of each thread: the fields behind its name, which stands in brackets and may hold spaces. */
function statsOf(pid: number): { readonly id: number; readonly fields: readonly string[] }[] {
  return readdirSync(`/proc/${pid}/task`).map((entry) => {
    const stat = readFileSync(`/proc/${pid}/task/${entry}/stat`, 'utf8');
    return { id: Number(entry), fields: stat.slice(stat.lastIndexOf(')') + 2).split(' ') };
  });
}

/**
 * What each thread took between two readings, the busiest first: those that took a hundredth of a processor or more.
 */
export function threadShares(
  pid: number,
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
  elapsedMs: number,
): ThreadShare[] {
  return [...after]
    .map(([id, ms]) => ({
      thread: id === pid ? 'main' : String(id),
      corePct: ((ms - (before.get(id) ?? 0)) / elapsedMs) * 100,
    }))
    .filter(({ corePct }) => corePct >= 1)
    .sort((a, b) => b.corePct - a.corePct);
}

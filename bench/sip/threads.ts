import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's unit of CPU time (USER_HZ), the same on every Linux that Node supports. */
const tickMs = 10;

export interface ThreadShare {
  readonly thread: string;
  /** Percent of one CPU. */
  readonly corePct: number;
}

/** Returns the CPU time of each thread of a process so far, in milliseconds (Linux). */
export function threadTimes(pid: number): Map<number, number> {
  return new Map(statsOf(pid).map(({ id, fields }) => [id, (Number(fields[11]) + Number(fields[12])) * tickMs]));
}

/**
 * Pins the media thread to the first CPU and all other threads of the process to the second. Some schedulers put
 * threads on one CPU as long as it can take them, which would delay the media.
 */
export function giveMediaItsProcessor(pid: number): void {
  for (const { id, fields } of statsOf(pid)) {
    // Only the media thread has raised its priority.
    const isMedia = Number(fields[16]) < 0;
    execFileSync('taskset', ['-pc', isMedia ? '0' : '1', String(id)], { stdio: 'ignore' });
  }
}

/** Reads the `stat` of each thread in /proc: the fields after the parenthesized name, which may contain spaces. */
function statsOf(pid: number): { readonly id: number; readonly fields: readonly string[] }[] {
  return readdirSync(`/proc/${pid}/task`).map((entry) => {
    const stat = readFileSync(`/proc/${pid}/task/${entry}/stat`, 'utf8');
    return { id: Number(entry), fields: stat.slice(stat.lastIndexOf(')') + 2).split(' ') };
  });
}

/** Returns the CPU use of each thread between two readings, the busiest first; threads below 1 % are omitted. */
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

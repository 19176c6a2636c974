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
  const times = new Map<number, number>();
  for (const entry of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${entry}/stat`, 'utf8');
    // The name, in brackets, may hold spaces; user and system time are the 12th and 13th field behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    times.set(Number(entry), (Number(fields[11]) + Number(fields[12])) * tickMs);
  }
  return times;
}

/** What each thread took between two readings, the busiest first: those that took a hundredth of a processor or more. */
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

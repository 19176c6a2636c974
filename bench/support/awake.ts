import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Counted before a benchmark moves aside: afterwards it is told of none but its own. */
const processorCount = availableParallelism();

/** Ends with the benchmark, however that ends: the process that began it is its parent no more. */
const spinning = `
  const parent = process.ppid;
  let x = 2;
  while (process.ppid === parent) for (let i = 0; i < 1e7; i++) x = Math.sqrt(x + i);
`;

/**
 * Keeps every processor awake until this process ends, as `idle=poll` does for a kernel: the host of a virtual machine
 * takes a sleeping processor away, and gives it back when it likes. Where this was written a process that did nothing but
 * wake up every 20 ms was more than 5 ms late 16 to 56 times of a thousand, and with this 0 to 2. It runs where nothing
 * else would (`SCHED_IDLE`), so that it takes no time from what is measured. Linux with `chrt` and `taskset` (util-linux).
 *
 * @returns whether it could
 */
export async function keepAwake(): Promise<boolean> {
  const spinners = Array.from({ length: processorCount }, (_, processor) =>
    spawn('chrt', ['-i', '0', 'taskset', '-c', String(processor), process.execPath, '-e', spinning], {
      stdio: 'ignore',
    }),
  );
  const began = await Promise.all(
    spinners.map(
      (spinner) =>
        new Promise<boolean>((resolve) => {
          spinner.once('spawn', () => resolve(true)).once('error', () => resolve(false));
        }),
    ),
  );
  for (const spinner of spinners) spinner.unref();
  return began.every(Boolean);
}

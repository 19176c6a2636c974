import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Counted before this process is pinned, because afterwards it sees only its own CPU. */
const processorCount = availableParallelism();

/** True if this process left CPU 0 to the one under test, which requires two CPUs. */
export const pinned: boolean = processorCount > 1 && movesAside();

function movesAside(): boolean {
  try {
    execFileSync('taskset', ['-pc', '1', String(process.pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starts Node on CPU 0 or on any, with a channel for messages. */
export function startNode(
  args: readonly string[],
  { processor, env = {} }: { processor: number | 'any'; env?: Record<string, string> },
): ChildProcess {
  const node = [process.execPath, ...args];
  const processors = processor === 'any' ? `0-${processorCount - 1}` : String(processor);
  const [command = '', ...rest] = pinned ? ['taskset', '-c', processors, ...node] : node;
  return spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...process.env, ...env } });
}

/** Returns the next message of a process; rejects when the process ends before. */
export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (told: unknown): void => {
      child.off('exit', onExit);
      resolve(told as T);
    };
    const onExit = (code: number | null): void => {
      child.off('message', onMessage);
      reject(new Error(`A process ended with ${code}.`));
    };
    child.once('message', onMessage).once('exit', onExit);
  });
}

/** Closes the channel to a process, which then ends, and waits for its end. */
export async function disconnect(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.disconnect();
  await ended;
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Counted before this process moves aside: afterwards it is told of none but its own. */
const processorCount = availableParallelism();

/** Whether this process has left processor 0 to the one under test, which it can where there are two. */
export const pinned: boolean = processorCount > 1 && movesAside();

function movesAside(): boolean {
  try {
    execFileSync('taskset', ['-pc', '1', String(process.pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starts node on that processor, or where the system likes, with a channel for messages. */
export function startNode(
  args: readonly string[],
  { processor, env = {} }: { processor: number | 'any'; env?: Record<string, string> },
): ChildProcess {
  const node = [process.execPath, ...args];
  const processors = processor === 'any' ? `0-${processorCount - 1}` : String(processor);
  const [command = '', ...rest] = pinned ? ['taskset', '-c', processors, ...node] : node;
  return spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...process.env, ...env } });
}

/** The next message of a process; rejects when it ends before. */
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

/** Closes the channel to a process that ends when it is closed, and waits until it has ended. */
export async function disconnect(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.disconnect();
  await ended;
}

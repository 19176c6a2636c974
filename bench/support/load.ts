import { spawn } from 'node:child_process';

export interface Load {
  /** Standard error so far. */
  output(): string;
  /** Resolves when the output matches. @throws Error when the program ends before */
  said(pattern: RegExp): Promise<void>;
  /** The exit code, -1 after a signal. @throws Error when the program cannot be started */
  readonly ended: Promise<number>;
  stop(signal: NodeJS.Signals): void;
}

/**
 * Starts a program that loads or observes the service, on the CPU of this process, which left the first one to the
 * service.
 */
export function startLoad(program: string, args: readonly string[], cwd?: string): Load {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(cwd === undefined ? {} : { cwd }) });
  let output = '';
  const { stdout, stderr } = child;
  // SIPp redraws its screen every second.
  stdout.resume();
  stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`${program} cannot be run. Is it installed?`, { cause })));
    child.once('close', (code) => resolve(code ?? -1));
  });
  const said = async (pattern: RegExp): Promise<void> => {
    const heard = new Promise<void>((resolve) => {
      const check = (): void => {
        if (!pattern.test(output)) return;
        stderr.off('data', check);
        resolve();
      };
      stderr.on('data', check);
      check();
    });
    const silent = ended.then((code) => {
      throw new Error(`${program} ended with ${code}: ${output}`);
    });
    await Promise.race([heard, silent]);
    // Prevents an unhandled rejection when the program ends later.
    silent.catch(() => {});
  };
  return { output: () => output, said, ended, stop: (signal) => void child.kill(signal) };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { systemClock, VaError } from '@va/core/adapter';

const killAfterMs = 3_000;
const maxOutputChars = 1 << 20;

/** A running program with its output and exit code. */
export class Child {
  readonly #process: ChildProcess;
  readonly #watchers = new Set<() => void>();
  /** Resolves with the exit code, -1 when a signal ended it. */
  readonly exited: Promise<number>;
  #output = '';
  #over = false;

  constructor(program: string, args: readonly string[], cwd: string) {
    // In a process group of its own, so that the processes it starts can be ended with it.
    this.#process = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const collect = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-maxOutputChars);
      for (const watch of [...this.#watchers]) watch();
    };
    this.#process.stdout?.on('data', collect);
    this.#process.stderr?.on('data', collect);
    this.#process.stdin?.on('error', () => {});
    this.exited = new Promise((resolve) => {
      const finish = (code: number | null) => {
        this.#over = true;
        resolve(code ?? -1);
        for (const watch of [...this.#watchers]) watch();
      };
      this.#process.once('error', () => finish(-1));
      this.#process.once('close', finish);
    });
  }

  get output(): string {
    return this.#output;
  }

  write(text: string): void {
    this.#process.stdin?.write(text);
  }

  /** @throws VaError `program_said_nothing` when the output does not match in time, or the program ends first */
  async waitFor(pattern: RegExp, timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string) => {
        finish();
        reject(new VaError('program_said_nothing', `${pattern} was not printed: ${why}\n${this.#output}`));
      };
      const check = () => {
        if (pattern.test(this.#output)) {
          finish();
          resolve();
        } else if (this.#over) fail('the program ended.');
      };
      const timer = systemClock.setTimer(timeoutMs, () => fail(`${timeoutMs} ms passed.`));
      const finish = () => {
        timer.cancel();
        this.#watchers.delete(check);
      };
      this.#watchers.add(check);
      check();
    });
  }

  /** Ends the program, by force if necessary. */
  async stop(): Promise<void> {
    if (this.#over) return;
    this.#process.kill('SIGTERM');
    const timer = systemClock.setTimer(killAfterMs, () => this.#killGroup());
    await this.exited;
    timer.cancel();
  }

  /**
   * Kills the process group: Kamailio can hang while it ends, and its child processes would survive and keep its output
   * open.
   */
  #killGroup(): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of them have just ended.
    }
  }
}

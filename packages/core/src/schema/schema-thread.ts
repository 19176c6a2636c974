import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { VaError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { isDraft7, loadDialect, prepareSchemaTask, type SchemaResult, type SchemaTask } from './schema-task.ts';
import type { FromSchemaWorker } from './schema-worker.ts';

/** Deadline of one task, from the moment the thread is ready for it. */
const deadlineMs = 2_000;
/** Deadline without a worker file: the task blocks the event loop. */
const inlineDeadlineMs = 500;
const startLimitMs = 30_000;
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** Runs one schema task at a time, each within one deadline. */
export interface SchemaRunner {
  /** @throws VaError `schema_too_slow`, `schema_worker` */
  run(task: SchemaTask): Promise<SchemaResult>;
  close(): Promise<void>;
}

/**
 * Creates a runner with a worker thread. A thread that exceeds the deadline or its memory limit is terminated, and the
 * next task starts another one. Tasks run in the event loop if the clock is simulated and does not wait for threads,
 * or, with a shorter deadline, if the worker file is missing because a bundler merged all files.
 */
export function createSchemaRunner(clock: Clock): SchemaRunner {
  const { file, execArgv } = program();
  // The full deadline: a simulation may block its event loop, and a loaded machine may take long for a valid schema.
  if (clock.afterInput === undefined) return inlineRunner(deadlineMs);
  return existsSync(fileURLToPath(file)) ? new SchemaThread(clock, file, execArgv) : inlineRunner(inlineDeadlineMs);
}

function program(): { file: URL; execArgv: string[] } {
  if (import.meta.url.endsWith('.ts')) {
    return { file: new URL('./source-worker.mjs', import.meta.url), execArgv: ['--conditions=@va/source'] };
  }
  return { file: new URL('./schema-worker.js', import.meta.url), execArgv: [] };
}

class SchemaThread implements SchemaRunner {
  readonly #clock: Clock;
  readonly #file: URL;
  readonly #execArgv: string[];
  #worker: Promise<Worker> | null = null;
  #alive: Worker | null = null;

  constructor(clock: Clock, file: URL, execArgv: string[]) {
    this.#clock = clock;
    this.#file = file;
    this.#execArgv = execArgv;
  }

  async run(task: SchemaTask): Promise<SchemaResult> {
    const starting = this.#worker ?? this.#start();
    this.#worker = starting;
    let isHealthy = false;
    try {
      const worker = await starting;
      worker.ref();
      const answer = await this.#answer(worker, task);
      worker.unref();
      isHealthy = true;
      if (answer.type === 'result') return answer.result;
      throw new VaError('schema_worker', answer.type === 'failed' ? answer.message : 'The schema worker failed.');
    } finally {
      if (!isHealthy && this.#worker === starting) await this.close();
    }
  }

  async close(): Promise<void> {
    const starting = this.#worker;
    this.#worker = null;
    // A rejection means that the thread did not start: there is nothing to terminate.
    await starting?.then((worker) => worker.terminate()).catch(() => {});
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#file, { execArgv: this.#execArgv, resourceLimits, name: 'va-schemas' });
    // Without a listener, an error of an idle thread would end the process.
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#alive === worker) this.#worker = null;
    });
    this.#alive = worker;
    const message = await this.#next(worker, startLimitMs, 'The schema worker did not start in time.');
    if (message.type !== 'ready') throw new VaError('schema_worker', 'The schema worker did not start.');
    return worker;
  }

  async #answer(worker: Worker, task: SchemaTask): Promise<FromSchemaWorker> {
    const answer = this.#next(worker, deadlineMs, `The JSON Schema takes longer than ${deadlineMs} ms to check.`);
    worker.postMessage(task);
    return await answer;
  }

  #next(worker: Worker, limitMs: number, tooSlow: string): Promise<FromSchemaWorker> {
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void): void => {
        timer.cancel();
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        settled();
      };
      const fail = (code: string, message: string, cause?: unknown): void =>
        settle(() => {
          void worker.terminate();
          reject(new VaError(code, message, { cause }));
        });
      const onMessage = (message: FromSchemaWorker): void => settle(() => resolve(message));
      const onError = (thrown: unknown): void => {
        if (isOutOfMemory(thrown)) fail('schema_too_slow', 'The JSON Schema takes too much memory to check.', thrown);
        else fail('schema_worker', 'The schema worker failed.', thrown);
      };
      const onExit = (): void => fail('schema_worker', 'The schema worker ended.');
      const timer = this.#clock.setTimer(limitMs, () => fail('schema_too_slow', tooSlow));
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  }
}

function isOutOfMemory(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_WORKER_OUT_OF_MEMORY'
  );
}

/** Runs a function with a deadline. */
type RunLimited = (run: () => SchemaResult, limitMs: number) => SchemaResult;

let limited: RunLimited | null = null;

/** Creates the one context of all tasks of the process, because that takes longer than most tasks. */
function createRunLimited(): RunLimited {
  const script = new Script('run()');
  const scope: { run: (() => SchemaResult) | null } = { run: null };
  const context = createContext(scope);
  return (run, limitMs) => {
    scope.run = run;
    try {
      return script.runInContext(context, { timeout: limitMs });
    } finally {
      scope.run = null;
    }
  };
}

function inlineRunner(limitMs: number): SchemaRunner {
  return {
    async run(task) {
      const dialect = await loadDialect(isDraft7(task.schema));
      limited ??= createRunLimited();
      try {
        return limited(() => prepareSchemaTask(dialect, task), limitMs);
      } catch (thrown) {
        const message = `The JSON Schema takes longer than ${limitMs} ms to check.`;
        throw new VaError('schema_too_slow', message, { cause: thrown });
      }
    },
    async close() {},
  };
}

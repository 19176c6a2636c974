import { Worker } from 'node:worker_threads';
import { type Clock, toError, VaError } from '@va/core/adapter';
import type { Inference } from './inference-threads.ts';
import type { FromInferenceThread, InferenceStart, InferenceTask, ToInferenceThread } from './messages.ts';

const startLimitMs = 30_000;
/** Time after which a running inference is taken for hung, and its thread is terminated. */
const runLimitMs = 5_000;
const stopLimitMs = 2_000;

/** The program of the thread and its settings. */
interface InferenceProgram {
  readonly file: URL;
  readonly execArgv: readonly string[];
}

/** Returns the built program, or the program in the sources if this file is one of them. */
function inferenceProgram(): InferenceProgram {
  if (import.meta.url.endsWith('.ts')) {
    return { file: new URL('./source-worker.mjs', import.meta.url), execArgv: ['--conditions=@va/source'] };
  }
  return { file: new URL('./inference-worker.js', import.meta.url), execArgv: [] };
}

interface RunningInference {
  readonly resolve: (probability: number) => void;
  readonly reject: (error: Error) => void;
}

/** A worker thread with a network, which runs one task at a time. Does not keep the process alive between tasks. */
export class InferenceThread implements Inference {
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #clock: Clock;
  #running: RunningInference | null = null;
  #failure: Error | null = null;
  #isAlive = true;
  #hasCompletedTask = false;

  private constructor(worker: Worker, clock: Clock) {
    this.#worker = worker;
    this.#clock = clock;
    worker.on('message', (message: FromInferenceThread) => this.#receive(message));
    worker.on('error', (thrown) => {
      this.#failure = toError(thrown);
    });
    this.ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#isAlive = false;
        this.#settle()?.reject(this.#endError());
        resolve();
      });
    });
  }

  /**
   * Starts a thread and resolves when its network is loaded.
   * @throws VaError `turn_model_runtime`, `turn_model_file`, `turn_model_shape`, `turn_model_thread`
   */
  static async start(start: InferenceStart, clock: Clock, program = inferenceProgram()): Promise<InferenceThread> {
    const execArgv = [...program.execArgv];
    const thread = new InferenceThread(
      new Worker(program.file, { workerData: start, execArgv, name: 'va-turn-model' }),
      clock,
    );
    try {
      await thread.#within(startLimitMs, 'The thread of the turn model did not start in time.');
      thread.#worker.unref();
      return thread;
    } catch (thrown) {
      await thread.close();
      throw thrown;
    }
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get hasCompletedTask(): boolean {
    return this.#hasCompletedTask;
  }

  /**
   * Returns the probability that the turn is over. The audio is transferred to the thread.
   * @throws VaError `turn_model_run` if the network fails, `turn_model_thread` if the thread ends
   * @throws DataCloneError if the audio was transferred before
   */
  async run(task: InferenceTask): Promise<number> {
    const answer = this.#within(runLimitMs, `The turn model did not answer within ${runLimitMs} ms.`);
    this.#worker.ref();
    this.#send(task);
    try {
      const probability = await answer;
      this.#hasCompletedTask = true;
      return probability;
    } finally {
      this.#worker.unref();
    }
  }

  /** Ends the thread after the running task. */
  async close(): Promise<void> {
    if (!this.#isAlive) return;
    const late = this.#clock.setTimer(stopLimitMs, () => void this.#worker.terminate());
    this.#worker.ref();
    this.#post('stop');
    await this.ended;
    late.cancel();
  }

  #send(task: InferenceTask): void {
    const { buffer, byteLength } = task.audio;
    // An array that was transferred before is empty. It is copied, because only copying throws at once.
    const isWhole = buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength;
    try {
      this.#post(task, isWhole ? [buffer] : []);
    } catch (thrown) {
      this.#settle()?.reject(toError(thrown));
    }
  }

  #post(message: ToInferenceThread, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** Resolves with the next message, 0 for `ready`. Terminates the thread after the limit. */
  #within(limitMs: number, tooLate: string): Promise<number> {
    if (!this.#isAlive) return Promise.reject(this.#endError());
    return new Promise((resolve, reject) => {
      const timer = this.#clock.setTimer(limitMs, () => {
        this.#failure = new VaError('turn_model_thread', tooLate);
        void this.#worker.terminate();
      });
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          timer.cancel();
          settle(value);
        };
      this.#running = { resolve: settled(resolve), reject: settled(reject) };
    });
  }

  #receive(message: FromInferenceThread): void {
    const running = this.#settle();
    switch (message.type) {
      case 'ready':
        running?.resolve(0);
        return;
      case 'refused':
        running?.reject(new VaError(message.code, message.message));
        return;
      case 'answered':
        running?.resolve(message.probability);
        return;
      case 'failed':
        running?.reject(new VaError('turn_model_run', message.message));
        return;
    }
  }

  #settle(): RunningInference | null {
    const running = this.#running;
    this.#running = null;
    return running;
  }

  #endError(): Error {
    if (this.#failure instanceof VaError) return this.#failure;
    const message = `The thread of the turn model ended${this.#failure === null ? '' : `: ${this.#failure.message}`}`;
    return new VaError('turn_model_thread', message, { cause: this.#failure });
  }
}

import { toError, VaError } from '@va/core/adapter';
import type { InferenceTask } from './messages.ts';

/** A thread that runs one task at a time. */
export interface Inference {
  /** Resolves when the thread has ended. */
  readonly ended: Promise<void>;
  readonly isAlive: boolean;
  /** True once a task has succeeded. */
  readonly hasCompletedTask: boolean;
  run(task: InferenceTask): Promise<number>;
  close(): Promise<void>;
}

interface QueuedInference {
  readonly task: InferenceTask;
  readonly resolve: (probability: number) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A fixed number of inference threads, and the tasks that wait for one. Tasks of aborted requests leave the queue. A
 * thread that ends is replaced at once, or with the next task if it never completed one, so that threads that cannot
 * work are not started over and over.
 */
export class InferenceThreads {
  readonly #count: number;
  readonly #start: () => Promise<Inference>;
  readonly #threads = new Set<Inference>();
  readonly #idle: Inference[] = [];
  #queue: QueuedInference[] = [];
  #starting = 0;
  #isClosed = false;

  constructor(count: number, start: () => Promise<Inference>) {
    this.#count = count;
    this.#start = start;
  }

  /** Starts all threads. If one fails, closes the others and rejects with its error. */
  async open(): Promise<void> {
    const starts = await Promise.allSettled(Array.from({ length: this.#count }, () => this.#add()));
    const failed = starts.find((each) => each.status === 'rejected');
    if (failed === undefined) return;
    await this.close();
    throw failed.reason;
  }

  /** Runs a task on the next free thread. Rejects when the task fails, and at once when the signal aborts. */
  run(task: InferenceTask, signal: AbortSignal): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || signal.aborted) {
        reject(signal.aborted ? toError(signal.reason) : closedError());
        return;
      }
      const onAbort = (): void => {
        this.#queue = this.#queue.filter((each) => each !== waiting);
        reject(toError(signal.reason));
      };
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener('abort', onAbort);
          settle(value);
        };
      const waiting: QueuedInference = { task, resolve: settled(resolve), reject: settled(reject) };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(waiting);
      this.#restore();
      this.#assign();
    });
  }

  /** Ends all threads, each after its running task. Waiting tasks are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#queue.splice(0)) reject(closedError());
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  /** Starts the threads that are missing. */
  #restore(): void {
    while (this.#threads.size + this.#starting < this.#count) {
      this.#add().catch((thrown: unknown) => {
        if (this.#threads.size + this.#starting > 0) return;
        for (const { reject } of this.#queue.splice(0)) reject(toError(thrown));
      });
    }
  }

  async #add(): Promise<void> {
    this.#starting += 1;
    try {
      const thread = await this.#start();
      if (this.#isClosed) {
        await thread.close();
        return;
      }
      this.#threads.add(thread);
      this.#idle.push(thread);
      void thread.ended.then(() => this.#lost(thread));
    } finally {
      this.#starting -= 1;
    }
    this.#assign();
  }

  #lost(thread: Inference): void {
    this.#threads.delete(thread);
    const at = this.#idle.indexOf(thread);
    if (at >= 0) this.#idle.splice(at, 1);
    if (!this.#isClosed && (thread.hasCompletedTask || this.#queue.length > 0)) this.#restore();
  }

  #assign(): void {
    while (this.#queue.length > 0) {
      const thread = this.#idle.pop();
      if (thread === undefined) return;
      const waiting = this.#queue.shift();
      if (waiting !== undefined) void this.#serve(thread, waiting);
    }
  }

  async #serve(thread: Inference, { task, resolve, reject }: QueuedInference): Promise<void> {
    try {
      resolve(await thread.run(task));
    } catch (thrown) {
      reject(toError(thrown));
    }
    if (thread.isAlive) this.#idle.push(thread);
    this.#assign();
  }
}

function closedError(): VaError {
  return new VaError('turn_model_closed', 'The turn model is closed.');
}

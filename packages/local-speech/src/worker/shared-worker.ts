import { Worker } from 'node:worker_threads';
import { toError } from '@va/core/adapter';
import { workerUrl } from '../package-files.ts';

export interface WorkerUser {
  onMessage(message: unknown): void;
  /** The thread died; the lease is void. Acquire another one to start a new thread. */
  onLost(error: Error): void;
}

export interface WorkerLease {
  post(message: unknown): void;
  /** A lease keeps the process alive only while it awaits a response. */
  await(awaiting: boolean): void;
  release(): void;
}

/**
 * Time for which a thread without leases waits for the next one: a new thread has to compile and load its models again.
 */
const defaultLingerMs = 30_000;

/**
 * A worker thread that starts with its first lease, serves all of them, and stops some time after the last one is
 * released, or at once if that one still awaits a response. When it dies, the user of every lease is notified, and the
 * next lease starts another thread.
 */
export class SharedWorker {
  readonly #file: string;
  readonly #lingerMs: number;
  #worker: Worker | undefined;
  #lingering: NodeJS.Timeout | undefined;
  readonly #users = new Set<WorkerUser>();
  readonly #awaiting = new Set<WorkerUser>();

  constructor(file: string, lingerMs = defaultLingerMs) {
    this.#file = file;
    this.#lingerMs = lingerMs;
  }

  lease(user: WorkerUser): WorkerLease {
    clearTimeout(this.#lingering);
    this.#worker ??= this.#start();
    this.#users.add(user);
    const worker = this.#worker;
    return {
      post: (message) => {
        if (this.#users.has(user)) worker.postMessage(message);
      },
      await: (awaiting) => {
        if (awaiting && this.#users.has(user)) this.#awaiting.add(user);
        else this.#awaiting.delete(user);
        this.#holdProcess();
      },
      release: () => this.#release(user),
    };
  }

  #start(): Worker {
    // Without the options of the process: a loader or an --eval does not apply to this file.
    const worker = new Worker(workerUrl(this.#file), { execArgv: [] });
    // Only a running thread can be unreferenced.
    worker.once('online', () => this.#holdProcess());
    worker.on('message', (message) => {
      for (const user of [...this.#users]) user.onMessage(message);
    });
    let reason: Error | undefined;
    worker.on('error', (thrown) => {
      reason = toError(thrown);
    });
    worker.on('exit', (code) => this.#lost(worker, reason ?? new Error(`The thread ended with code ${code}.`)));
    return worker;
  }

  #holdProcess(): void {
    if (this.#awaiting.size > 0) this.#worker?.ref();
    else this.#worker?.unref();
  }

  #release(user: WorkerUser): void {
    const isBusy = this.#awaiting.delete(user);
    this.#holdProcess();
    if (!this.#users.delete(user) || this.#users.size > 0) return;
    if (isBusy) this.#stop();
    else this.#lingering = setTimeout(() => this.#stop(), this.#lingerMs).unref();
  }

  #stop(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    clearTimeout(this.#lingering);
    this.#worker = undefined;
    const users = [...this.#users];
    this.#users.clear();
    this.#awaiting.clear();
    for (const user of users) user.onLost(error);
  }
}

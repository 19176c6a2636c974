import type { Clock } from '../ports/clock.ts';
import { type Job, type JobMatch, type JobQueue, jobLeaseMs, type NewJob } from '../ports/jobs.ts';

interface WaitingJob {
  readonly job: NewJob;
  readonly dueMs: number;
  readonly storedAtMs: number;
}

/** Job queue in the memory of this process, for storages without a queue. */
export class InProcessJobs implements JobQueue {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, WaitingJob>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async send(jobs: readonly NewJob[]): Promise<void> {
    for (const job of jobs) if (!this.#waiting.has(job.id)) this.#put(job, job.afterMs);
  }

  async take(queue: string, limit: number): Promise<readonly Job[]> {
    const nowMs = this.#clock.nowMs();
    const due = [...this.#waiting.values()].filter(({ job, dueMs }) => job.queue === queue && dueMs <= nowMs);
    const taken = due.sort((a, b) => a.dueMs - b.dueMs).slice(0, limit);
    for (const { job } of taken) this.#put(job, jobLeaseMs);
    return taken.map(({ job: { id, data } }) => ({ id, data: structuredClone(data) }));
  }

  async settle(_queue: string, { done, again }: { done: readonly string[]; again: readonly NewJob[] }): Promise<void> {
    for (const id of done) this.#waiting.delete(id);
    for (const job of again) this.#put(job, job.afterMs);
  }

  async forget(queue: string, { key, text }: JobMatch): Promise<void> {
    for (const [id, { job }] of this.#waiting) {
      if (job.queue === queue && job.data[key] === text) this.#waiting.delete(id);
    }
  }

  async stored(_queue: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(ids.filter((id) => this.#waiting.has(id)));
  }

  async waiting(queue: string): Promise<number> {
    return [...this.#waiting.values()].filter(({ job }) => job.queue === queue).length;
  }

  async oldestMs(queue: string): Promise<number | null> {
    const own = [...this.#waiting.values()].filter(({ job }) => job.queue === queue);
    return own.length === 0 ? null : Math.min(...own.map(({ storedAtMs }) => storedAtMs));
  }

  #put(job: NewJob, afterMs: number): void {
    const dueMs = this.#clock.nowMs() + afterMs;
    this.#waiting.set(job.id, { job, dueMs, storedAtMs: this.#clock.wallMs() });
  }
}

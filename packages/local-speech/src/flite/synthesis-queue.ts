import { ProviderError } from '@va/core';
import { SharedWorker, type WorkerLease, type WorkerUser } from '../worker/shared-worker.ts';
import type { FliteVoice } from './voices.ts';

interface SynthesisJob {
  readonly id: number;
  readonly text: string;
  readonly voice: FliteVoice;
  readonly resolve: (samples: Int16Array) => void;
  readonly reject: (error: Error) => void;
  attempts: number;
}

/** Attempts per text when the thread dies while processing it. */
const mostAttempts = 2;

/**
 * The synthesis thread and its queue. The thread gets one text at a time, so that a cancelled one in the queue costs
 * nothing.
 */
export class SynthesisQueue implements WorkerUser {
  readonly #worker = new SharedWorker('flite.js');
  #lease: WorkerLease | undefined;
  #users = 0;
  #waiting: SynthesisJob[] = [];
  #running: SynthesisJob | undefined;
  #jobs = 0;

  /** Starts the thread, so that it is ready for the first text, and keeps it until the matching `release`. */
  acquire(): void {
    this.#users++;
    this.#lease ??= this.#worker.lease(this);
  }

  release(): void {
    this.#users--;
    if (this.#users > 0) return;
    this.#lease?.release();
    this.#lease = undefined;
    const unfinished = [...(this.#running === undefined ? [] : [this.#running]), ...this.#waiting];
    this.#running = undefined;
    this.#waiting = [];
    for (const job of unfinished) job.reject(new ProviderError('flite', 'unavailable', 'the session was closed'));
  }

  /**
   * Synthesizes `text` at 8 kHz, between `acquire` and `release`. An abort rejects the promise, and removes the text
   * from the queue if it still waits there.
   */
  synthesize(text: string, voice: FliteVoice, signal?: AbortSignal): Promise<Int16Array> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== job);
        reject(new ProviderError('flite', 'unavailable', 'cancelled'));
      };
      const job: SynthesisJob = {
        id: this.#jobs++,
        text,
        voice,
        attempts: 0,
        resolve(samples) {
          signal?.removeEventListener('abort', cancel);
          resolve(samples);
        },
        reject(error) {
          signal?.removeEventListener('abort', cancel);
          reject(error);
        },
      };
      if (signal?.aborted) return cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  onMessage(message: unknown): void {
    const { job: id, samples, error } = message as { job: number; samples?: Int16Array; error?: string };
    const job = this.#running;
    if (job?.id !== id) return;
    this.#running = undefined;
    if (samples === undefined) job.reject(new ProviderError('flite', 'protocol', error ?? 'no audio'));
    else job.resolve(samples);
    this.#next();
  }

  onLost(cause: Error): void {
    this.#lease = this.#worker.lease(this);
    const job = this.#running;
    this.#running = undefined;
    if (job !== undefined && job.attempts < mostAttempts) this.#waiting.unshift(job);
    else job?.reject(new ProviderError('flite', 'unavailable', 'the synthesis thread died', { cause }));
    this.#next();
  }

  #next(): void {
    if (this.#running === undefined) {
      this.#running = this.#waiting.shift();
      if (this.#running !== undefined) {
        const { id, text, voice } = this.#running;
        this.#running.attempts++;
        this.#lease?.post({ job: id, text, voice });
      }
    }
    this.#lease?.await(this.#running !== undefined);
  }
}

export const synthesisQueue: SynthesisQueue = new SynthesisQueue();

import { toError, VaError } from '../errors.ts';
import type { Logger } from '../ports/logger.ts';

/** A part of the service with resources of its own. */
export interface ServicePart {
  readonly name: string;
  /** Acquires the resources; absent if the part needs no start. */
  start?(): Promise<void> | void;
  /** Releases the resources. Also called after a `start` that failed. */
  close?(drainMs: number): Promise<void>;
}

/**
 * Phases of a service: `new` → `starting` → `started` → `draining` → `closed`. A failed start leads from `starting` to
 * `closed`; a close during the start leads to `draining` and then `closed`.
 */
export type ServicePhase = 'new' | 'starting' | 'started' | 'draining' | 'closed';

/** Starts the parts of a service one after the other, and closes in reverse order those that were started. */
export class Lifecycle {
  readonly #parts: readonly ServicePart[];
  readonly #logger: Logger;
  readonly #opened: ServicePart[] = [];
  #phase: ServicePhase = 'new';
  #starting: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  constructor(parts: readonly ServicePart[], logger: Logger) {
    this.#parts = parts;
    this.#logger = logger;
  }

  get phase(): ServicePhase {
    return this.#phase;
  }

  /** @throws VaError `invalid_state` for a second start, and for a start during which the service is closed */
  async start(): Promise<void> {
    if (this.#phase !== 'new') {
      throw new VaError('invalid_state', 'The service was started or closed before; create a new one.');
    }
    this.#phase = 'starting';
    this.#starting = this.#startParts();
    await this.#starting;
  }

  /**
   * Closes the service in any phase. A second call returns the promise of the first.
   * @param drain finishes the work in progress; called only if the service has started
   */
  close(drainMs: number, drain: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(drainMs, drain);
    return this.#closing;
  }

  async #startParts(): Promise<void> {
    try {
      for (const part of this.#parts) {
        this.#opened.push(part);
        await part.start?.();
        if (this.#phase !== 'starting') {
          throw new VaError('invalid_state', 'The service was closed while it was starting.');
        }
      }
      this.#phase = 'started';
    } catch (thrown) {
      this.#phase = 'closed';
      await this.#closeOpened(0);
      throw thrown;
    }
  }

  async #close(drainMs: number, drain: () => Promise<void>): Promise<void> {
    if (this.#phase === 'started') {
      this.#phase = 'draining';
      await drain();
      await this.#closeOpened(drainMs);
    } else if (this.#phase === 'starting') {
      this.#phase = 'draining';
      // The start fails at its next step and closes what it has opened.
      await this.#starting?.catch(() => {});
    }
    this.#phase = 'closed';
  }

  /** Closes the opened parts in reverse order. If a part fails to close, the others are closed nevertheless. */
  async #closeOpened(drainMs: number): Promise<void> {
    for (let part = this.#opened.pop(); part !== undefined; part = this.#opened.pop()) {
      try {
        await part.close?.(drainMs);
      } catch (thrown) {
        this.#logger.error({ err: toError(thrown), part: part.name }, 'failed to close a part of the service');
      }
    }
  }
}

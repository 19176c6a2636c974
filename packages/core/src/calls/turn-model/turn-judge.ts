import { type Counter, type Histogram, metrics } from '@opentelemetry/api';
import { within } from '../../async/within.ts';
import { toError, VaError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { TurnModel, TurnModelInput } from '../../ports/turn-model.ts';
import { Circuit } from '../../providers/circuit.ts';
import { version } from '../../version.ts';

const defaultDeadlineMs = 50;
/** Consecutive requests without a usable answer after which the model is suspended. */
const failuresToSuspend = 5;
const suspendedMs = 30_000;
/** Minimum interval between log lines about unusable answers. */
const reportEveryMs = 60_000;

interface Unusable {
  readonly outcome: 'late' | 'failed' | 'invalid';
  readonly error: Error;
}

/** The answer to a `cancelled` request is of no use, because the caller went on or the call ended. */
type JudgeAnswer =
  | { readonly outcome: 'answered'; readonly probability: number }
  | { readonly outcome: 'cancelled' }
  | Unusable;

export interface TurnJudgeOptions {
  readonly model: TurnModel;
  readonly deadlineMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Asks the host's turn model within a deadline, for all calls of the process. A model that is late or fails several
 * times in a row is suspended for 30 s; after that, one request shows whether it works again.
 */
export class TurnJudge {
  readonly #model: TurnModel;
  readonly #deadlineMs: number;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #circuit: Circuit;
  readonly #requests: Counter;
  readonly #durations: Histogram;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #unreported = 0;

  /** @throws VaError `invalid_options` for a deadline that is not positive */
  constructor({ model, deadlineMs = defaultDeadlineMs, clock, logger }: TurnJudgeOptions) {
    if (!(deadlineMs > 0 && Number.isFinite(deadlineMs))) {
      const message = `turnModel.deadlineMs: must be a positive number of milliseconds, not ${deadlineMs}.`;
      throw new VaError('invalid_options', message);
    }
    this.#model = model;
    this.#deadlineMs = deadlineMs;
    this.#clock = clock;
    this.#logger = logger.child({ turn_model: model.id });
    this.#circuit = new Circuit(clock, { failures: failuresToSuspend, openMs: suspendedMs });
    const meter = metrics.getMeter('@va/core', version);
    this.#requests = meter.createCounter('va.turn_model.requests', { description: 'Requests to the turn model' });
    this.#durations = meter.createHistogram('va.turn_model.duration', {
      unit: 'ms',
      description: 'From the request to the usable answer of the turn model',
    });
  }

  get usesText(): boolean {
    return this.#model.usesText ?? false;
  }

  async open(): Promise<void> {
    await this.#model.open?.();
  }

  async close(): Promise<void> {
    await this.#model.close?.();
  }

  /** Returns the probability that the turn is over; null without a usable answer in time. Never rejects. */
  async judge(input: TurnModelInput): Promise<number | null> {
    const attempt = this.#circuit.begin();
    if (attempt === null) {
      this.#count('skipped');
      return null;
    }
    const startedAtMs = this.#clock.nowMs();
    const answer = await this.#ask(input);
    this.#count(answer.outcome);
    switch (answer.outcome) {
      case 'answered':
        attempt.succeeded();
        this.#durations.record(this.#clock.nowMs() - startedAtMs);
        return answer.probability;
      case 'cancelled':
        attempt.abandoned();
        return null;
      default:
        attempt.failed(answer.error);
        this.#report(answer);
        return null;
    }
  }

  /** Aborts the model's work when the deadline passes or the request is cancelled. */
  async #ask(input: TurnModelInput): Promise<JudgeAnswer> {
    const abort = new AbortController();
    const giveUp = (): void => abort.abort();
    input.signal.addEventListener('abort', giveUp, { once: true });
    // The async function turns an exception of a model that throws at once into a rejection.
    const work = (async () => await this.#model.judge({ ...input, signal: abort.signal }))();
    try {
      const answer = await within(this.#deadlineMs, this.#clock, work, input.signal);
      if (input.signal.aborted) return { outcome: 'cancelled' };
      if (answer === null) return unusable('late', `no answer within ${this.#deadlineMs} ms`);
      if (!isProbability(answer)) return unusable('invalid', `${answer} instead of a number from 0 to 1`);
      return { outcome: 'answered', probability: answer };
    } catch (thrown) {
      return input.signal.aborted ? { outcome: 'cancelled' } : { outcome: 'failed', error: toError(thrown) };
    } finally {
      input.signal.removeEventListener('abort', giveUp);
      giveUp();
    }
  }

  #count(outcome: JudgeAnswer['outcome'] | 'skipped'): void {
    this.#requests.add(1, { 'va.turn_model.id': this.#model.id, 'va.turn_model.outcome': outcome });
  }

  #report({ outcome, error }: Unusable): void {
    this.#unreported += 1;
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#reportedAtMs < reportEveryMs) return;
    this.#logger.warn({ err: error, outcome, failures: this.#unreported }, 'turn model gave no usable answer');
    this.#reportedAtMs = nowMs;
    this.#unreported = 0;
  }
}

function unusable(outcome: 'late' | 'invalid', why: string): Unusable {
  return { outcome, error: new VaError('turn_model', `The turn model gave ${why}.`) };
}

function isProbability(answer: unknown): answer is number {
  return typeof answer === 'number' && answer >= 0 && answer <= 1;
}

import { type CircuitBreakerPolicy, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import { ProviderError, VaError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';

/** Outcome of one use of a provider. The first report counts. */
export interface Attempt {
  succeeded(): void;
  failed(thrown: unknown): void;
  /** The use was abandoned without an outcome. */
  abandoned(): void;
}

export interface CircuitOptions {
  /** Consecutive failures that open the circuit. */
  readonly failures: number;
  /** Time for which the circuit stays open; then one trial shows whether the provider works again. */
  readonly openMs: number;
  /** True (the default) if a refused key counts as a failure. */
  readonly countsAuth?: boolean;
}

/** Outcome that counts neither as success nor as failure. */
class NotCounted extends VaError {}

/** Circuit breaker of a provider. */
export class Circuit {
  readonly #clock: Clock;
  readonly #openMs: number;
  readonly #countsAuth: boolean;
  readonly #policy: CircuitBreakerPolicy;
  #openedAtMs = 0;

  constructor(clock: Clock, { failures, openMs, countsAuth = true }: CircuitOptions) {
    this.#clock = clock;
    this.#openMs = openMs;
    this.#countsAuth = countsAuth;
    this.#policy = circuitBreaker(
      handleWhen((error) => !(error instanceof NotCounted)),
      // The open time is measured here, on the injected clock: the policy would use the wall clock.
      { breaker: new ConsecutiveBreaker(failures), halfOpenAfter: Number.NEGATIVE_INFINITY },
    );
    this.#policy.onBreak(() => {
      this.#openedAtMs = clock.nowMs();
    });
  }

  /** True if the provider is to be skipped: it failed too often, or a trial is in progress. */
  get isOpen(): boolean {
    const { state } = this.#policy;
    if (state === CircuitState.Open) return this.#clock.nowMs() - this.#openedAtMs < this.#openMs;
    return state === CircuitState.HalfOpen;
  }

  /** Begins a use of the provider; null if it is to be skipped. */
  begin(): Attempt | null {
    if (this.isOpen) return null;
    const isTrial = this.#policy.state === CircuitState.Open;
    let settle: (error?: Error) => void = () => {};
    const outcome = new Promise<void>((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve() : reject(error));
    });
    this.#policy.execute(() => outcome).catch(() => {});
    return {
      succeeded: () => settle(),
      failed: (thrown) =>
        settle(this.#isNotCounted(thrown) ? notCounted() : new VaError('provider_failed', 'It failed.')),
      // A trial without an outcome proves nothing.
      abandoned: () => settle(isTrial ? new VaError('provider_failed', 'It was not waited for.') : notCounted()),
    };
  }

  /** Returns true for faults of one request or model, which do not affect other requests. */
  #isNotCounted(thrown: unknown): boolean {
    if (!(thrown instanceof ProviderError)) return false;
    return thrown.fault === 'invalid_request' || (thrown.fault === 'auth' && !this.#countsAuth);
  }
}

function notCounted(): NotCounted {
  return new NotCounted('not_counted', 'It says nothing about the provider.');
}

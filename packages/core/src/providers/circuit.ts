import { type CircuitBreakerPolicy, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import { ProviderError, VaError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';

/** What came of one use of a provider. The first word counts. */
export interface Attempt {
  succeeded(): void;
  failed(thrown: unknown): void;
  /** Nobody waited for the outcome. */
  abandoned(): void;
}

export interface CircuitOptions {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** Time that it then stays open; after that, one attempt shows whether the provider works again. */
  readonly openMs: number;
  /** Whether a refused key counts as a failure. True by default. */
  readonly countsAuth?: boolean;
}

/** Says nothing about whether the provider works. */
class NotCounted extends VaError {}

/** Whether a provider is worth an attempt. */
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
      // How long it stays open is counted here, on the injected clock: the policy would count on the wall clock.
      { breaker: new ConsecutiveBreaker(failures), halfOpenAfter: Number.NEGATIVE_INFINITY },
    );
    this.#policy.onBreak(() => {
      this.#openedAtMs = clock.nowMs();
    });
  }

  /** Whether it is to be passed over now: it has failed too often, or somebody else is trying it. */
  get isOpen(): boolean {
    const { state } = this.#policy;
    if (state === CircuitState.Open) return this.#clock.nowMs() - this.#openedAtMs < this.#openMs;
    return state === CircuitState.HalfOpen;
  }

  /** Begins to use the provider; null where it is to be passed over. */
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
      // A trial without an outcome has not shown that it works again.
      abandoned: () => settle(isTrial ? new VaError('provider_failed', 'It was not waited for.') : notCounted()),
    };
  }

  /** Faults of one request, or of one model, say nothing about the requests of others. */
  #isNotCounted(thrown: unknown): boolean {
    if (!(thrown instanceof ProviderError)) return false;
    return thrown.fault === 'invalid_request' || (thrown.fault === 'auth' && !this.#countsAuth);
  }
}

function notCounted(): NotCounted {
  return new NotCounted('not_counted', 'It says nothing about the provider.');
}

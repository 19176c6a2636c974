import { type Clock, type Logger, ProviderError } from '@va/core/adapter';
import { withoutKey } from '../faults/without-key.ts';
import type { SocketLoss } from './client-socket.ts';
import { Reconnection } from './reconnection.ts';

const maxShownCharacters = 200;

/** Provider of the connections. */
export interface RecoveryTarget {
  /** Registry id of the provider, for errors and logs. */
  readonly id: string;
  /** Removed from the provider's texts in errors and logs. */
  readonly apiKey: string;
}

/** Handles the failures of a provider's connections: reports them without the API key, and schedules reconnections. */
export class ConnectionRecovery {
  readonly #target: RecoveryTarget;
  readonly #logger: Logger;
  readonly #reconnection: Reconnection;

  constructor(target: RecoveryTarget, { clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#target = target;
    this.#logger = logger;
    this.#reconnection = new Reconnection(clock);
  }

  /** Removes the API key from a text of the provider. */
  redact(text: string): string {
    return withoutKey(text, this.#target.apiKey);
  }

  errorOf({ fault, message, status }: Pick<SocketLoss, 'fault' | 'message' | 'status'>): ProviderError {
    return new ProviderError(this.#target.id, fault, this.redact(message), { status });
  }

  /**
   * Calls `connect` after a delay. Returns false when the error is permanent or the attempts are used up.
   * @param isRetryable default: decided by the fault of the error
   */
  reconnect(error: ProviderError, connect: () => void, isRetryable: boolean = error.retryable): boolean {
    if (!isRetryable || !this.#reconnection.schedule(connect)) return false;
    this.#logger.warn({ provider: this.#target.id, err: error }, 'lost the connection; reconnecting');
    return true;
  }

  logUnreadable(text: string): void {
    const shown = this.redact(text).slice(0, maxShownCharacters);
    this.#logger.warn({ provider: this.#target.id, text: shown }, 'received an unreadable message');
  }

  /** Resets the count of attempts after the service has worked. */
  succeeded(): void {
    this.#reconnection.succeeded();
  }

  /** Cancels a scheduled reconnection. */
  cancel(): void {
    this.#reconnection.cancel();
  }
}

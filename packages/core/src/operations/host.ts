import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { OpenLinked } from '../recordings/recording-links.ts';
import type { Principal } from './accounts/principal.ts';
import type { IdempotencyStore } from './idempotency.ts';
import type { Operations } from './operations.ts';

/** Whether the service can do its work, and what each part of it says. */
export interface Health {
  readonly status: 'ok' | 'degraded' | 'unavailable';
  readonly version: string;
  readonly timestamp: string;
  readonly checks: Readonly<Record<string, HealthCheck>>;
}

export interface HealthCheck {
  readonly status: 'ok' | 'failed';
  readonly message?: string;
}

/** Whether this process takes calls now. */
export interface Readiness {
  readonly status: 'ready' | 'unavailable';
  /** Why it does not; null where it does. */
  readonly reason: 'starting' | 'draining' | 'full' | 'storage' | null;
}

/** What a request carries to say who sends it. */
export interface Credentials {
  /** The header `Authorization`. */
  readonly authorization: string | null;
  /** The whole request, for a host that authenticates by other means; made when it is asked for. */
  toRequest(): Request;
}

/** What an HTTP handler needs of the service. */
export interface HandlerHost {
  readonly operations: Operations;
  /** Where answers to requests with an `Idempotency-Key` are kept. */
  readonly idempotency: Pick<IdempotencyStore, 'begin'>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Opens the recording that a link of the service's own names; undefined where it makes no links. */
  readonly openLinkedRecording?: OpenLinked | undefined;
  /** Throws `RequestError` 401 where the request carries no valid credentials. */
  authenticate(credentials: Credentials): Promise<Principal>;
  /** MUST NOT reject: a part that fails is a check that says so. */
  health(): Promise<Health>;
  /** MUST NOT reject. */
  readiness(): Promise<Readiness>;
}

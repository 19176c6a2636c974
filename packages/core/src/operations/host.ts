import type { Deployment } from '../domain/deployment/deployment.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { TelephonyHttp } from '../ports/telephony-http.ts';
import type { OpenLinked } from '../recordings/recording-links.ts';
import type { Principal } from './accounts/principal.ts';
import type { IdempotencyStore } from './idempotency.ts';
import type { Operations } from './operations.ts';

/** Health of the service, with the result of each check. */
export interface Health {
  readonly status: 'ok' | 'degraded' | 'unavailable';
  readonly version: string;
  readonly timestamp: string;
  readonly checks: Readonly<Record<string, HealthCheck>>;
}

/** Result of one health check. */
export interface HealthCheck {
  readonly status: 'ok' | 'failed';
  readonly message?: string;
}

/** Readiness of this process for calls. */
export interface Readiness {
  readonly status: 'ready' | 'unavailable';
  /** Reason of not being ready; null if ready. */
  readonly reason: 'starting' | 'draining' | 'full' | 'storage' | null;
}

/** Credentials of a request. */
export interface Credentials {
  /** Value of the header `Authorization`. */
  readonly authorization: string | null;
  /** Returns the whole request, for a host's own authentication. Created on demand. */
  toRequest(): Request;
}

/** The service as an HTTP handler sees it. */
export interface HandlerHost {
  readonly operations: Operations;
  /** Stores responses to requests with an `Idempotency-Key`. */
  readonly idempotency: Pick<IdempotencyStore, 'begin'>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Opens a recording by a signed link; undefined if the service creates none. */
  readonly openLinkedRecording?: OpenLinked | undefined;
  /** Telephony adapters with an HTTP interface, by their id; none by default. */
  readonly telephonyHttp?: ReadonlyMap<string, TelephonyHttp>;
  /** Public base URL of the API without a trailing slash, such as `https://example.com/voice`; null if not set. */
  readonly publicUrl?: string | null;
  /** @throws RequestError 401 without valid credentials */
  authenticate(credentials: Credentials): Promise<Principal>;
  /** MUST NOT reject: a failing part is a failed check. */
  health(): Promise<Health>;
  /** MUST NOT reject. */
  readiness(): Promise<Readiness>;
  /** Returns the processes of the deployment and its queues. Only for operators. */
  deployment(): Promise<Deployment>;
}

import { toError, VaError } from '@va/media';

export { toError, VaError };

/** One invalid field of a request. `path` is dotted, such as `llm_config.tools.0.name`. */
export interface FieldFault {
  path: string;
  code: string;
  message: string;
}

/** An error of the caller's request. `status` is the HTTP status that it maps to. */
export class RequestError extends VaError {
  readonly status: number;
  readonly faults: readonly FieldFault[];
  /** Time after which the same request may succeed; undefined if unknown. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    faults: readonly FieldFault[] = [],
    options: { readonly retryAfterSeconds?: number | undefined } = {},
  ) {
    super(code, message);
    this.status = status;
    this.faults = faults;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Kind of a provider's failure. `timeout`, `connection` and `unavailable` may pass when the request is repeated. */
export type ProviderFault =
  | 'auth'
  | 'quota'
  | 'invalid_request'
  | 'timeout'
  | 'connection'
  | 'unavailable'
  | 'protocol';

/** Failure of a provider, thrown by its adapter. */
export class ProviderError extends VaError {
  readonly provider: string;
  readonly fault: ProviderFault;
  /** True if the same request may succeed when repeated. */
  readonly retryable: boolean;
  readonly status: number | undefined;

  constructor(
    provider: string,
    fault: ProviderFault,
    message: string,
    options: { status?: number | undefined; cause?: unknown } = {},
  ) {
    super(`provider_${fault}`, `${provider}: ${message}`, { cause: options.cause });
    this.provider = provider;
    this.fault = fault;
    this.retryable = fault === 'timeout' || fault === 'connection' || fault === 'unavailable';
    this.status = options.status;
  }
}

/** A value that must be unique in the organization or deployment is taken. Thrown by storage adapters. */
export class UniqueViolation extends VaError {
  readonly constraint: string;

  constructor(constraint: string, options?: { cause?: unknown }) {
    super('unique_violation', `A record with the same ${constraint} exists already.`, options);
    this.constraint = constraint;
  }
}

/** A record refers to a record that the organization does not have. Thrown by storage adapters. */
export class ReferenceViolation extends VaError {
  readonly field: string;

  constructor(field: string, options?: { cause?: unknown }) {
    super('reference_violation', `The record that ${field} names does not exist.`, options);
    this.field = field;
  }
}

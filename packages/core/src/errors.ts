import { toError, VaError } from '@va/media';

export { toError, VaError };

/** One field at fault in a request. `path` is dotted, as in `llm_config.tools.0.name`. */
export interface FieldFault {
  path: string;
  code: string;
  message: string;
}

/** The caller's request cannot be carried out as it stands. `status` is the HTTP status it maps to. */
export class RequestError extends VaError {
  readonly status: number;
  readonly faults: readonly FieldFault[];
  /** After so long the same request may succeed; undefined where nobody can tell. */
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

/** What an adapter raises when its provider fails; the class of the fault decides what the call does next. */
export type ProviderFault =
  | 'auth'
  | 'quota'
  | 'invalid_request'
  | 'timeout'
  | 'connection'
  | 'unavailable'
  | 'protocol';

export class ProviderError extends VaError {
  readonly provider: string;
  readonly fault: ProviderFault;
  /** Whether the same request may succeed when it is sent again. */
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

/** A value that has to be unique in the deployment is taken. Raised by storage adapters. */
export class UniqueViolation extends VaError {
  readonly constraint: string;

  constructor(constraint: string, options?: { cause?: unknown }) {
    super('unique_violation', `A record with the same ${constraint} exists already.`, options);
    this.constraint = constraint;
  }
}

/** A record names another one of its organization that is not there. Raised by storage adapters. */
export class ReferenceViolation extends VaError {
  readonly field: string;

  constructor(field: string, options?: { cause?: unknown }) {
    super('reference_violation', `The record that ${field} names does not exist.`, options);
    this.field = field;
  }
}

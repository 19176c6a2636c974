import type { ErrorCode } from './error-codes.ts';
import { readJsonBody } from './json-body.ts';

/**
 * The service refused a request.
 * @example
 * try {
 *   await client.calls.get(id);
 * } catch (error) {
 *   if (!(error instanceof ApiError) || error.code !== 'call_not_found') throw error;
 * }
 */
export class ApiError extends Error {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Stable code, such as `call_not_found`; `http_<status>` for a response of a proxy. */
  readonly code: ErrorCode;
  /** Dotted path of the invalid field, if there is exactly one; otherwise null. */
  readonly param: string | null;
  /** All invalid fields; empty for other errors. */
  readonly errors: readonly FieldError[];
  /** Identifies the request in the service's log; null for a response of a proxy. */
  readonly requestId: string | null;
  /** Delay in ms after which the request may be repeated, from `Retry-After`; null if unknown. */
  readonly retryAfterMs: number | null;

  constructor(
    facts: Pick<ApiError, 'status' | 'code' | 'message' | 'param' | 'errors' | 'requestId' | 'retryAfterMs'>,
  ) {
    super(facts.message);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.param = facts.param;
    this.errors = facts.errors;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** An invalid field of a request. */
export interface FieldError {
  /** Dotted path of the field in the body or query, such as `llm_config.provider`. */
  readonly path: string;
  readonly code: ErrorCode;
  /** English sentence: the fault and the accepted values. */
  readonly message: string;
}

/** No response was received, or its body is unusable. */
export class ConnectionError extends Error {
  /** `timeout` after `timeoutMs`, `connection` for a network failure, `invalid_answer` for a body that is not JSON. */
  readonly code: 'timeout' | 'connection' | 'invalid_answer';

  constructor(code: ConnectionError['code'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ConnectionError';
    this.code = code;
  }
}

/**
 * Converts an error response. Only the status of a body that is not the service's own, such as a proxy's page, is used.
 * @param timeoutMs timeout of the body
 */
export async function toApiError(response: Response, timeoutMs: number): Promise<ApiError> {
  const { status, headers } = response;
  const body = await readJsonBody(response, timeoutMs);
  const { code, message, param, errors }: Readonly<Record<string, unknown>> = isObject(body) ? body : {};
  return new ApiError({
    status,
    code: typeof code === 'string' ? code : `http_${status}`,
    message: typeof message === 'string' ? message : `The service responded with status ${status}.`,
    param: typeof param === 'string' ? param : null,
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
    requestId: headers.get('x-request-id'),
    retryAfterMs: readRetryAfterMs(headers),
  });
}

/** Returns the delay of `Retry-After`, which is in seconds or a date; null for anything else. @see RFC 9110 §10.2.3 */
export function readRetryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse also reads numbers, such as "-5", as dates.
  const atMs = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}

function isFieldError(value: unknown): value is FieldError {
  if (!isObject(value)) return false;
  return [value.path, value.code, value.message].every((text) => typeof text === 'string');
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

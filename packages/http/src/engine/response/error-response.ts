import { STATUS_CODES } from 'node:http';
import { RequestError } from '@va/core';
import { HttpError } from '../../message/http-error.ts';
import type { HttpResponse } from '../../message/http-response.ts';
import { prefersProblemJson } from '../request/accept.ts';

/** The fields of every error body. `param` is the one field at fault, or null. */
export interface ErrorBody {
  readonly error: string;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly details: readonly string[];
  readonly errors: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly request_id: string;
  /** Seconds after which the same request may succeed. */
  readonly retry_after?: number;
}

/** Converts a thrown error to the error sent to the client. An unexpected error is reported without its details. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return new RequestError(500, 'internal_error', 'The service failed. Its log has the details under this request_id.');
}

/** Renders an error as the API's flat body, or as RFC 9457 problem details if the client prefers that. */
export function errorResponse(error: RequestError, accept: string | null, requestId: string): HttpResponse {
  const given = givenHeaders(error);
  const body = errorBody(error, requestId, given['retry-after']);
  const isProblem = prefersProblemJson(accept);
  const { error: title, message: detail, ...facts } = body;
  const content = isProblem ? { type: 'about:blank', title, status: error.status, detail, ...facts } : body;
  const text = JSON.stringify(content);
  const headers: Record<string, string> = {
    ...given,
    'content-type': isProblem ? 'application/problem+json' : 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    vary: 'Accept',
  };
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  return { status: error.status, headers, body: text };
}

function givenHeaders(error: RequestError): Readonly<Record<string, string>> {
  if (error instanceof HttpError) return error.headers;
  return error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) };
}

function errorBody(error: RequestError, requestId: string, retryAfter: string | undefined): ErrorBody {
  const { faults } = error;
  const details = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return {
    error: STATUS_CODES[error.status] ?? 'Error',
    code: error.code,
    message: error.message,
    param: (faults.length === 1 && faults[0]?.path) || null,
    details,
    errors: faults,
    request_id: requestId,
    ...(retryAfter === undefined ? {} : { retry_after: Number(retryAfter) }),
  };
}

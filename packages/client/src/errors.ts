/** The service refused the request, and said why. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable and for programs, such as `phone_number_exists`. */
  readonly code: string;
  /** The one field at fault, or null. */
  readonly param: string | null;
  readonly errors: readonly FieldError[];
  /** Names the request in the service's log; null when something before the service answered. */
  readonly requestId: string | null;

  constructor(facts: Pick<ApiError, 'status' | 'code' | 'message' | 'param' | 'errors' | 'requestId'>) {
    super(facts.message);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.param = facts.param;
    this.errors = facts.errors;
    this.requestId = facts.requestId;
  }
}

export interface FieldError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** There was no answer, or none that could be read. */
export class ConnectionError extends Error {
  readonly code: 'timeout' | 'connection' | 'invalid_answer';

  constructor(code: ConnectionError['code'], message: string, options: { cause: unknown }) {
    super(message, options);
    this.name = 'ConnectionError';
    this.code = code;
  }
}

/** Reads an error body; one that is not the service's own, such as a proxy's page, keeps its status. */
export async function toApiError(response: Response): Promise<ApiError> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => null);
  const facts = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { code, message, param, errors } = facts;
  return new ApiError({
    status,
    code: typeof code === 'string' ? code : `http_${status}`,
    message: typeof message === 'string' ? message : `The answer had the status ${status}.`,
    param: typeof param === 'string' ? param : null,
    errors: Array.isArray(errors) ? errors : [],
    requestId: response.headers.get('x-request-id'),
  });
}

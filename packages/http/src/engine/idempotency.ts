import { createHash } from 'node:crypto';
import { type Principal, RequestError } from '@va/core';
import { type HandlerHost, type Logger, type StoredAnswer, toError } from '@va/core/adapter';
import { HttpError } from '../message/http-error.ts';
import type { HttpResponse } from '../message/http-response.ts';

const maxKeptBytes = 65_536;

/** A request with an `Idempotency-Key`. */
export interface IdempotentRequest {
  readonly orgId: string;
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly requestId: string;
  /** The path up to and including `/api/v1`. */
  readonly apiPath: string;
  /** True if a successful response contains a new secret. */
  readonly secret: boolean;
  /** True if a successful response shows a secret of its record. */
  readonly showsSecrets: boolean;
}

/**
 * Returns the idempotency key of a request, or null without one.
 * @throws RequestError 400 for a malformed key
 */
export function readIdempotencyKey(header: string | null): string | null {
  if (header === null || /^[\x20-\x7e]{1,255}$/.test(header)) return header;
  const fault = { path: 'Idempotency-Key', code: 'invalid_field', message: 'must have 1 to 255 printable characters' };
  throw new RequestError(400, fault.code, `${fault.path} ${fault.message}`, [fault]);
}

/**
 * Returns a hash of query, body and holder, by which requests with the same idempotency key are compared.
 * @param holder the only caller who may see the response; null if the whole organization may
 */
export function requestFingerprint(search: string, body: Uint8Array, holder: Principal | null): string {
  const hash = createHash('sha256').update(`${search}\n`).update(body);
  if (holder !== null) hash.update(`\n${JSON.stringify([holder.keyId, holder.subject ?? null])}`);
  return hash.digest('base64url');
}

/**
 * Runs a request once and replays its response to every repetition. Keeps successful responses of up to 64 kB only: a
 * refused request changed nothing, so its repetition runs again.
 * @throws RequestError 409 `idempotency_in_progress` and 422 `idempotency_key_reused`
 */
export async function once(
  store: HandlerHost['idempotency'],
  logger: Logger,
  request: IdempotentRequest,
  run: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const begun = await store.begin(request.orgId, request.scope, request.key, request.fingerprint);
  if (begun.state === 'replay') return replayed(begun.answer, request.apiPath);
  if (begun.state === 'running') {
    const message = 'A request with this Idempotency-Key is still in progress.';
    throw new HttpError(409, 'idempotency_in_progress', message, { 'retry-after': '1' });
  }
  if (begun.state === 'other_body') {
    const message = 'This Idempotency-Key was used before with another query or body.';
    throw new RequestError(422, 'idempotency_key_reused', message);
  }

  /** Logs a failure to store the response. It does not fail the request, whose work is done. */
  const end = async (ending: () => Promise<void>): Promise<void> => {
    await ending().catch((thrown: unknown) => {
      logger.error(
        { requestId: request.requestId, err: toError(thrown) },
        'failed to store the response of an idempotency key',
      );
    });
  };
  try {
    const response = await run();
    const stored = toStored(response, request);
    await end(() => (stored === null ? begun.abandon() : begun.finish(stored)));
    return response;
  } catch (thrown) {
    await end(() => begun.abandon());
    throw thrown;
  }
}

function isKept(status: number): boolean {
  return status >= 200 && status < 300;
}

function toStored(response: HttpResponse, { apiPath, secret, showsSecrets }: IdempotentRequest): StoredAnswer | null {
  const { status, headers, body } = response;
  if (!isKept(status) || typeof body !== 'string' || Buffer.byteLength(body) > maxKeptBytes) return null;
  const location = headers.location?.slice(apiPath.length) ?? null;
  const contentType = headers['content-type'] ?? 'application/json';
  return { status, contentType, location, body, secret, showsSecrets };
}

function replayed({ status, contentType, location, body }: StoredAnswer, apiPath: string): HttpResponse {
  const headers: Record<string, string> = {
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'idempotent-replayed': 'true',
  };
  if (location !== null) headers.location = `${apiPath}${location}`;
  return { status, headers, body };
}

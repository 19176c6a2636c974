import { createHash } from 'node:crypto';
import { type HandlerHost, type Logger, type Principal, RequestError, type StoredAnswer, toError } from '@va/core';
import { HttpError } from './error-answer.ts';
import type { HttpAnswer } from './http-answer.ts';

const maxKeptBytes = 65_536;

/** A request that carries an `Idempotency-Key`. */
export interface IdempotentRequest {
  readonly orgId: string;
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly requestId: string;
  /** The path up to and with `/api/v1`. */
  readonly apiPath: string;
  /** Whether a good answer to it holds a secret. */
  readonly secret: boolean;
  /** Whether a good answer to it shows a secret of a record. */
  readonly showsSecrets: boolean;
}

/** The key of a request; null where it has none. Throws `RequestError` 400 for one that cannot be a key. */
export function readIdempotencyKey(header: string | null): string | null {
  if (header === null || /^[\x20-\x7e]{1,255}$/.test(header)) return header;
  const fault = { path: 'Idempotency-Key', code: 'invalid_field', message: 'must have 1 to 255 printable characters' };
  throw new RequestError(400, fault.code, `${fault.path} ${fault.message}`, [fault]);
}

/**
 * What tells one request from another under the same key.
 * @param holder whom alone the answer is for; null where all of the organization may see it
 */
export function fingerprintOf(search: string, body: Uint8Array, holder: Principal | null): string {
  const hash = createHash('sha256').update(`${search}\n`).update(body);
  if (holder !== null) hash.update(`\n${JSON.stringify([holder.keyId, holder.subject ?? null])}`);
  return hash.digest('base64url');
}

/**
 * Carries a request out once, and gives its answer to every repetition. Only successes of up to 64 kB are kept: a refused
 * request changed nothing, so that a repetition is carried out. Throws `RequestError` 409 `idempotency_in_progress` and 422
 * `idempotency_key_reused`.
 */
export async function once(
  store: HandlerHost['idempotency'],
  logger: Logger,
  request: IdempotentRequest,
  run: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const begun = await store.begin(request.orgId, request.scope, request.key, request.fingerprint);
  if (begun.state === 'replay') return replayed(begun.answer, request.apiPath);
  if (begun.state === 'running') {
    const message = 'A request with this Idempotency-Key is still being worked on.';
    throw new HttpError(409, 'idempotency_in_progress', message, { 'retry-after': '1' });
  }
  if (begun.state === 'other_body') {
    const message = 'This Idempotency-Key was sent before with another query or body.';
    throw new RequestError(422, 'idempotency_key_reused', message);
  }

  /** The work is done: that it cannot be remembered must not make its answer an error. */
  const end = async (ending: () => Promise<void>): Promise<void> => {
    await ending().catch((thrown: unknown) => {
      logger.error({ requestId: request.requestId, err: toError(thrown) }, 'an idempotency key could not be stored');
    });
  };
  try {
    const answer = await run();
    const stored = toStored(answer, request);
    await end(() => (stored === null ? begun.abandon() : begun.finish(stored)));
    return answer;
  } catch (thrown) {
    await end(() => begun.abandon());
    throw thrown;
  }
}

function isKept(status: number): boolean {
  return status >= 200 && status < 300;
}

function toStored(answer: HttpAnswer, { apiPath, secret, showsSecrets }: IdempotentRequest): StoredAnswer | null {
  const { status, headers, body } = answer;
  if (!isKept(status) || typeof body !== 'string' || Buffer.byteLength(body) > maxKeptBytes) return null;
  const location = headers.location?.slice(apiPath.length) ?? null;
  const contentType = headers['content-type'] ?? 'application/json';
  return { status, contentType, location, body, secret, showsSecrets };
}

function replayed({ status, contentType, location, body }: StoredAnswer, apiPath: string): HttpAnswer {
  const headers: Record<string, string> = {
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'idempotent-replayed': 'true',
  };
  if (location !== null) headers.location = `${apiPath}${location}`;
  return { status, headers, body };
}

import { isObject, toApiError } from './request/errors.ts';
import { readJsonBody } from './request/json-body.ts';
import type { RequestOptions } from './request/request-options.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

/**
 * Reads the health of the service. An unavailable service responds 503 with its health, which is a result; a proxy's
 * 503 is an error.
 */
export async function readHealth(
  transport: Transport,
  request: ApiRequest,
  options?: RequestOptions,
): Promise<unknown> {
  const response = await transport.open({ ...request, goodStatus: 503 }, options);
  const copy = response.clone();
  const timeoutMs = options?.timeoutMs ?? transport.timeoutMs;
  const body = await readJsonBody(response, timeoutMs);
  if (isObject(body) && 'checks' in body) return body;
  throw await toApiError(copy, timeoutMs);
}

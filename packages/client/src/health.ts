import { isObject, toApiError } from './request/errors.ts';
import type { RequestOptions } from './request/request-options.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

/** A service that cannot do its work answers 503, and still tells why: that is a result. A proxy's 503 is none. */
export async function readHealth(
  transport: Transport,
  request: ApiRequest,
  options?: RequestOptions,
): Promise<unknown> {
  const response = await transport.open({ ...request, goodStatus: 503 }, options);
  const copy = response.clone();
  const body: unknown = await response.json().catch(() => null);
  if (isObject(body) && 'checks' in body) return body;
  throw await toApiError(copy);
}

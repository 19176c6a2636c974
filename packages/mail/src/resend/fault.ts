import { ProviderError, type ProviderFault } from '@va/core';
import { z } from 'zod';

/** The client's error for a response outside 2xx; a proxy may have sent it. */
const errorSchema = z
  .object({
    name: z.string().catch(''),
    message: z.string().catch('the response is an error without a message'),
    /** Null without a response. */
    statusCode: z.int().nullish().catch(undefined),
  })
  .catch({ name: '', message: 'the response is an error of an unknown shape', statusCode: undefined });

const faultsByName: Readonly<Record<string, ProviderFault>> = {
  missing_api_key: 'auth',
  invalid_api_key: 'auth',
  restricted_api_key: 'auth',
  monthly_quota_exceeded: 'quota',
  daily_quota_exceeded: 'quota',
  rate_limit_exceeded: 'unavailable',
};

/** Maps an error of the client by its name and status. */
export function toProviderError(error: unknown): ProviderError {
  const { name, message, statusCode } = errorSchema.parse(error);
  const known = Object.hasOwn(faultsByName, name) ? faultsByName[name] : undefined;
  const fault = known ?? faultOfStatus(statusCode);
  return new ProviderError('resend', fault, message, { status: statusCode ?? undefined });
}

/** @see https://resend.com/docs/api-reference/errors */
function faultOfStatus(status: number | null | undefined): ProviderFault {
  if (status === null) return 'connection';
  if (status === undefined) return 'protocol';
  if (status === 401) return 'auth';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 429 || status >= 500) return 'unavailable';
  return 'invalid_request';
}

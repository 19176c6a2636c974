import type { ProviderFault } from '@va/core';

/** Classifies an HTTP status of a provider. A rate limit is temporary, so it counts as unavailable, not as quota. */
export function faultOfStatus(status: number): ProviderFault {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 429 || status >= 500) return 'unavailable';
  return 'invalid_request';
}

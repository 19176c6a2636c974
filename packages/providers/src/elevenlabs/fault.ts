import type { ProviderFault } from '@va/core';
import type { Fields } from '../shared/json.ts';

const faults: Readonly<Record<string, ProviderFault>> = {
  quota_exceeded: 'quota',
  invalid_api_key: 'auth',
  unauthorized: 'auth',
  missing_permissions: 'auth',
  voice_not_found: 'invalid_request',
  model_not_found: 'invalid_request',
  invalid_request: 'invalid_request',
  too_many_concurrent_requests: 'unavailable',
  system_busy: 'unavailable',
};

/** What an error message of the service means; undefined for a message that is none. */
export function readFault(message: Fields): { fault: ProviderFault; message: string } | undefined {
  if (typeof message.error !== 'string') return undefined;
  const text = typeof message.message === 'string' ? message.message : message.error;
  return { fault: faults[message.error] ?? 'protocol', message: text };
}

import type { ProviderFault } from '@va/core';
import type { ServiceFault } from '../shared/faults/service-fault.ts';
import type { VendorFields } from '../shared/json.ts';

/**
 * Faults by the service's error codes. Other codes mean an error of the service or a temporary limit, such as 3005
 * (server error), 3008 (session expired) and 3009 (too many sessions): another connection may succeed.
 */
const faults: Readonly<Record<number, ProviderFault>> = {
  1008: 'auth',
  3006: 'invalid_request',
  4000: 'invalid_request',
  4001: 'auth',
  4002: 'quota',
  4003: 'quota',
  4101: 'invalid_request',
};

/**
 * Reads the message that precedes the end of a session by an error; returns undefined for any other message.
 * @see https://www.assemblyai.com/docs/streaming/common-session-errors-and-closures
 */
export function readFault({ type, error, error_code: code }: VendorFields): ServiceFault | undefined {
  if (type !== 'Error' && typeof error !== 'string') return undefined;
  return {
    fault: (typeof code === 'number' ? faults[code] : undefined) ?? 'unavailable',
    message: typeof error === 'string' ? error : 'an error without a message',
  };
}

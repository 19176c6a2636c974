import type { ProviderFault } from '@va/core';
import type { SocketLoss } from '../shared/connection/client-socket.ts';

/**
 * Classifies the end of a connection. The service reports its errors only as close codes with a text: 1007 for an
 * invalid argument and for an invalid key, 1008 for an unknown model or a refused operation, 1011 for an internal error
 * and for an exhausted quota.
 */
export function faultOf({ fault, closeCode, message }: SocketLoss): ProviderFault {
  if (closeCode === 1007) return /api key/i.test(message) ? 'auth' : 'invalid_request';
  if (closeCode === 1008) return /api key|permission|unauthenticated/i.test(message) ? 'auth' : 'invalid_request';
  if (closeCode === 1011) return /quota|billing/i.test(message) ? 'quota' : 'unavailable';
  return fault;
}

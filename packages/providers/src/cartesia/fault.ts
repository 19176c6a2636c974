import { type FaultTable, faultIn } from '../shared/faults/fault-table.ts';
import { faultOfStatus } from '../shared/faults/http-fault.ts';
import type { ServiceFault } from '../shared/faults/service-fault.ts';
import type { VendorFields } from '../shared/json.ts';

/** Error codes whose status is not specific enough. */
const faults: FaultTable = {
  quota_exceeded: 'quota',
  concurrency_limited: 'unavailable',
};

/**
 * Reads an error message of the service; returns undefined for any other message.
 * @see https://docs.cartesia.ai/use-the-api/api-errors
 */
export function readFault(message: VendorFields): ServiceFault | undefined {
  if (message.type !== 'error') return undefined;
  const { error_code: code, status_code: status, context_id: contextId, title } = message;
  const byStatus = typeof status === 'number' ? faultOfStatus(status) : 'unavailable';
  const said = [message.message, title, code].find((text) => typeof text === 'string' && text !== '');
  return {
    fault: faultIn(faults, code) ?? byStatus,
    message: String(said ?? 'an error without a message'),
    contextId: typeof contextId === 'string' ? contextId : undefined,
  };
}

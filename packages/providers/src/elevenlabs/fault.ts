import { type FaultTable, faultIn } from '../shared/faults/fault-table.ts';
import type { ServiceFault } from '../shared/faults/service-fault.ts';
import type { VendorFields } from '../shared/json.ts';

/** Error names of the service, from its documentation and from reports of its users. */
const faults: FaultTable = {
  invalid_api_key: 'auth',
  missing_permissions: 'auth',
  needs_authorization: 'auth',
  unauthorized: 'auth',
  authentication_error: 'auth',
  insufficient_credits: 'quota',
  payment_issue: 'quota',
  payment_required: 'quota',
  quota_exceeded: 'quota',
  invalid_parameters: 'invalid_request',
  invalid_request: 'invalid_request',
  invalid_voice_settings: 'invalid_request',
  model_id_does_not_exist: 'invalid_request',
  model_not_found: 'invalid_request',
  output_format_not_allowed: 'invalid_request',
  pronunciation_dictionary_not_found: 'invalid_request',
  unsupported_language: 'invalid_request',
  unsupported_model: 'invalid_request',
  voice_id_does_not_exist: 'invalid_request',
  voice_not_fine_tuned: 'invalid_request',
  voice_not_found: 'invalid_request',
};

/**
 * Reads an error message of the service; returns undefined for any other message. An unknown error name counts as
 * `unavailable`: another connection may succeed, and the number of attempts is limited.
 */
export function readFault(message: VendorFields): ServiceFault | undefined {
  const { error, contextId = message.context_id } = message;
  if (typeof error !== 'string') return undefined;
  return {
    fault: faultIn(faults, error) ?? 'unavailable',
    message: typeof message.message === 'string' ? message.message : error,
    // The limit of contexts applies to the connection, whichever context exceeded it.
    contextId: typeof contextId === 'string' && error !== 'max_active_conversations' ? contextId : undefined,
  };
}

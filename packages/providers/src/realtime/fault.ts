import type { ProviderFault } from '@va/core';
import { type FaultTable, faultIn } from '../shared/faults/fault-table.ts';
import { fieldsOf, type VendorFields } from '../shared/json.ts';

/** An error of a provider, in an `error` event or in a failed response. */
export interface ReportedError {
  readonly fault: ProviderFault;
  readonly code: string | undefined;
  readonly message: string;
  /** Id of the client event that caused it. */
  readonly eventId: string | undefined;
}

const faults: FaultTable = {
  // codes
  invalid_api_key: 'auth',
  insufficient_quota: 'quota',
  rate_limit_exceeded: 'unavailable',
  session_expired: 'connection',
  // types
  authentication_error: 'auth',
  permission_error: 'auth',
  invalid_request_error: 'invalid_request',
  rate_limit_error: 'unavailable',
  server_error: 'unavailable',
  internal_error: 'unavailable',
};

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads the field `error` of an event. An error with an unknown code and type counts as `unavailable`. */
export function readReportedError(error: unknown): ReportedError {
  const fields: VendorFields = fieldsOf(error) ?? {};
  const code = textOf(fields.code);
  const type = textOf(fields.type);
  return {
    fault: faultIn(faults, code) ?? faultIn(faults, type) ?? 'unavailable',
    code,
    message: textOf(fields.message) ?? code ?? type ?? 'an error without a message',
    eventId: textOf(fields.event_id),
  };
}

/** Returns true for a fault after which another attempt may succeed. */
export function isRetryable(fault: ProviderFault): boolean {
  return fault === 'timeout' || fault === 'connection' || fault === 'unavailable';
}

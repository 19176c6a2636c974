import { withoutKey } from '../shared/faults/without-key.ts';
import { fieldsOf, type VendorFields } from '../shared/json.ts';

/**
 * Reads a message of the service that reports an error, for the log; undefined for every other message. After an
 * `Error` the service closes the connection, after a `ConfigureFailure` it does not.
 */
export function readErrorReport(message: unknown, apiKey: string): VendorFields | undefined {
  const { type, code, err_code, description, message: text, err_msg } = fieldsOf(message) ?? {};
  if (type !== 'Error' && type !== 'ConfigureFailure') return undefined;
  const firstText = (...values: unknown[]): string | undefined => {
    const first = values.find((value) => typeof value === 'string' && value !== '');
    return typeof first === 'string' ? withoutKey(first, apiKey).slice(0, 500) : undefined;
  };
  return { type, code: firstText(code, err_code), description: firstText(description, text, err_msg) };
}

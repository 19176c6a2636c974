import { ReferenceViolation, type RequestError } from '../errors.ts';
import { invalidInput } from './parse-input.ts';

/** The 400 for a field that names a record which the organization does not have. */
export function invalidReference(path: string, id: string | null | undefined): RequestError {
  const resource = path.replace(/_id$/, '').replaceAll('_', ' ');
  return invalidInput([{ path, code: 'invalid_reference', message: `there is no ${resource} ${id}` }]);
}

/** Turns a storage's refusal of a reference into that 400; throws anything else on. */
export function rethrowReference(error: unknown, written: Readonly<Record<string, unknown>>): never {
  if (!(error instanceof ReferenceViolation)) throw error;
  const id = written[error.field];
  throw invalidReference(error.field, typeof id === 'string' ? id : null);
}

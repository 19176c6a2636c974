import { ReferenceViolation, type RequestError } from '../errors.ts';
import { invalidInput } from './parse-input.ts';

/** Returns the 400 for a field that refers to a record which the organization does not have. */
export function invalidReference(path: string, id: string | null | undefined): RequestError {
  const resource = path.replace(/_id$/, '').replaceAll('_', ' ');
  return invalidInput([{ path, code: 'invalid_reference', message: `there is no ${resource} ${id}` }]);
}

/** Throws `invalidReference` for a reference violation of the storage; rethrows other errors. */
export function rethrowReference(error: unknown, written: Readonly<Record<string, unknown>>): never {
  if (!(error instanceof ReferenceViolation)) throw error;
  const id = written[error.field];
  throw invalidReference(error.field, typeof id === 'string' ? id : null);
}

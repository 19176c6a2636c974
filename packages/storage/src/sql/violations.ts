import { ReferenceViolation, UniqueViolation } from '@va/core';

/** Names what a database refused, by its SQLSTATE and the constraint's name. Anything else is thrown on as it is. */
export function rethrow(error: unknown): never {
  const { code, constraint = '' } = error as { code?: unknown; constraint?: string };
  const field = /^(?:api_keys|phone_numbers)_(\w+)_f?key$/.exec(constraint)?.[1];
  if (code === '23505') throw new UniqueViolation(field ?? 'id', { cause: error });
  if (code === '23503') throw new ReferenceViolation(field ?? constraint, { cause: error });
  throw error;
}
